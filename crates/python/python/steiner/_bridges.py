"""Robots from live models of Pinocchio and MuJoCo, and identified numbers back into them."""

from __future__ import annotations

import importlib
import json
import math
from typing import Any, Iterable, Sequence
from xml.sax.saxutils import quoteattr

import numpy as np

from ._steiner import Robot


def _number(x: float) -> str:
    return repr(float(x))


def _numbers(values: Iterable[float]) -> str:
    return "[" + ", ".join(_number(x) for x in values) + "]"


def _rpy(rotation: Any) -> list[float]:
    """Roll, pitch and yaw of a rotation: yaw first, and the others from what it leaves, so that they fit each
    other where pitch is a right angle."""
    r = np.asarray(rotation, dtype=float)
    yaw = math.atan2(r[1, 0], r[0, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    pitch = math.atan2(-r[2, 0], c * r[0, 0] + s * r[1, 0])
    roll = math.atan2(s * r[0, 2] - c * r[1, 2], c * r[1, 1] - s * r[0, 1])
    return [roll, pitch, yaw]


def _inertia(mass: float, com: Any, tensor: Any) -> str:
    i = np.asarray(tensor, dtype=float)
    six = (i[0, 0], i[0, 1], i[1, 1], i[0, 2], i[1, 2], i[2, 2])
    return f"{{ mass = {_number(mass)}, com = {_numbers(com)}, tensor = {_numbers(six)} }}"


def _ten(parameters: Any) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass and inertia about it, of m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz."""
    m, mx, my, mz, xx, xy, yy, xz, yz, zz = (float(x) for x in parameters)
    about_origin = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    com = np.array([mx, my, mz]) / m if m > 0 else np.zeros(3)
    return m, com, about_origin - m * (com @ com * np.eye(3) - np.outer(com, com))


# Pinocchio

_AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


def _kind(joint: Any, name: str) -> tuple[str, list[str]]:
    """The kind of a joint of Pinocchio's and what else the mechanism file says of it."""
    short = joint.shortname().removeprefix("JointModel")
    aligned = {
        "R": "revolute",
        "RUB": "continuous",
        "P": "prismatic",
    }
    for prefix, kind in aligned.items():
        if short.removeprefix(prefix) in _AXES and short.startswith(prefix):
            return kind, [f"axis = {_numbers(_AXES[short.removeprefix(prefix)])}"]
    unaligned = {
        "RevoluteUnaligned": "revolute",
        "RevoluteUnboundedUnaligned": "continuous",
        "PrismaticUnaligned": "prismatic",
    }
    own = joint.extract() if hasattr(joint, "extract") else joint
    if short in unaligned:
        return unaligned[short], [f"axis = {_numbers(own.axis)}"]
    if short in ("FreeFlyer", "Spherical", "Planar"):
        return {"FreeFlyer": "floating"}.get(short, short.lower()), []
    if short == "Universal":
        return "universal", [f"axis = {_numbers(own.axis1)}", f"axis2 = {_numbers(own.axis2)}"]
    raise ValueError(
        f"joint `{name}` is a {joint.shortname()}, which Steiner cannot read from Pinocchio; "
        "read its URDF or write a mechanism file"
    )


def _limits(model: Any, joint: Any) -> str | None:
    if joint.nq != 1:
        return None
    q, v = joint.idx_q, joint.idx_v
    effort = getattr(model, "upperEffortLimit", None)
    effort = model.effortLimit if effort is None else effort
    velocity = getattr(model, "upperVelocityLimit", None)
    velocity = model.velocityLimit if velocity is None else velocity
    known = {
        "lower": model.lowerPositionLimit[q],
        "upper": model.upperPositionLimit[q],
        "velocity": velocity[v],
        "effort": effort[v],
    }
    if not known["lower"] < known["upper"]:
        del known["lower"], known["upper"]
    finite = {key: x for key, x in known.items() if abs(x) < 1e10 and (key in ("lower", "upper") or x > 0)}
    if ("lower" in finite) != ("upper" in finite):
        finite.pop("lower", None), finite.pop("upper", None)
    if not finite:
        return None
    return "limits = { " + ", ".join(f"{key} = {_number(x)}" for key, x in finite.items()) + " }"


def _dry(model: Any, v: int) -> float:
    for name in ("friction", "upperDryFrictionLimit"):
        values = getattr(model, name, None)
        if values is not None:
            return float(values[v])
    return 0.0


def _damping(model: Any, v: int) -> float:
    values = getattr(model, "damping", None)
    return 0.0 if values is None else float(values[v])


def from_pinocchio(model: Any, constraints: Sequence[Any] = (), *, snap: float = 1e-5) -> Robot:
    """The robot of a pinocchio.Model; constraints are its RigidConstraintModels (3D or 6D), which close loops."""
    bodies = _pinocchio_bodies(model)
    lines = [f"name = {json.dumps(model.name or 'robot')}", f"gravity = {_numbers(model.gravity.linear)}"]
    for k in range(1, model.njoints):
        joint, placement = model.joints[k], model.jointPlacements[k]
        kind, more = _kind(joint, model.names[k])
        inertia = model.inertias[k]
        lines += [
            "",
            "[[body]]",
            f"name = {json.dumps(bodies[k])}",
            f"parent = {json.dumps(bodies[model.parents[k]])}",
            f"joint = {json.dumps(kind)}",
            f"joint_name = {json.dumps(model.names[k])}",
            f"xyz = {_numbers(placement.translation)}",
            f"rpy = {_numbers(_rpy(placement.rotation))}",
            *more,
        ]
        if inertia.mass > 0 or np.any(inertia.inertia):
            lines.append(f"inertia = {_inertia(inertia.mass, inertia.lever, inertia.inertia)}")
        limits = _limits(model, joint)
        if limits:
            lines.append(limits)
        if joint.nv == 1:
            v = joint.idx_v
            lines.append(f"rotor_inertia = {_number(model.armature[v])}")
            viscous, coulomb = _number(_damping(model, v)), _number(_dry(model, v))
            lines.append(f"friction = {{ viscous = {viscous}, coulomb = {coulomb} }}")
    for n, constraint in enumerate(constraints):
        closure = {"CONTACT_3D": "spherical", "CONTACT_6D": "fixed"}.get(str(constraint.type).split(".")[-1])
        if closure is None:
            raise ValueError(f"constraint {n} is {constraint.type}; give CONTACT_3D or CONTACT_6D")
        lines += ["", "[[loop]]", f"name = {json.dumps(constraint.name or f'loop{n + 1}')}", f'joint = "{closure}"']
        for side, joint, placement in (
            ("predecessor", constraint.joint1_id, constraint.joint1_placement),
            ("successor", constraint.joint2_id, constraint.joint2_placement),
        ):
            place = f"xyz = {_numbers(placement.translation)}, rpy = {_numbers(_rpy(placement.rotation))}"
            lines.append(f"{side} = {{ body = {json.dumps(bodies[joint])}, {place} }}")
    return Robot.from_text("\n".join(lines) + "\n", "toml", name=f"pinocchio model {model.name}", snap=snap)


def _pinocchio_bodies(model: Any) -> list[str]:
    """A name for the body of each joint: that of the link whose frame it is, if there is one."""
    names = ["base"] + [""] * (model.njoints - 1)
    for frame in model.frames:
        parent = getattr(frame, "parentJoint", None)
        parent = frame.parent if parent is None else parent
        if parent and not names[parent] and str(frame.type).endswith("BODY") and frame.placement.isIdentity(1e-12):
            names[parent] = frame.name
    taken = {"base", "world"}
    for k in range(1, model.njoints):
        name = names[k] or model.names[k]
        while name in taken:
            name += "_"
        taken.add(name)
        names[k] = name
    return names


def update_pinocchio(robot: Robot, model: Any) -> None:
    """Writes inertias, rotor inertias and friction into a pinocchio.Model of the same robot."""
    import pinocchio as pin

    ids = _same_joints(robot, [model.names[k] for k in range(1, model.njoints)])
    parameters = robot.parameters.reshape(-1, 10)
    for ten, k in zip(parameters, ids):
        model.inertias[k] = pin.Inertia.FromDynamicParameters(np.array(ten))
    drives = robot.drives
    for name, k in zip(robot.joints, ids):
        joint = model.joints[k]
        if joint.nv == 1 and name in drives:
            v, own = joint.idx_v, drives[name]
            model.armature[v] = own["rotor_inertia"]
            for field, value in (("damping", own["viscous"]), ("friction", own["coulomb"])):
                if getattr(model, field, None) is not None:
                    getattr(model, field)[v] = value


def _same_joints(robot: Robot, names: list[str]) -> list[int]:
    """For each body of a robot the number of its joint in a model, from 1; a floating root may have another name."""
    if len(names) != len(robot.joints):
        raise ValueError(
            f"the model has {len(names)} joints and {robot.name} has {len(robot.joints)}; give the model of the same "
            "robot (mimic=False where Pinocchio ignores <mimic>)"
        )
    strange = [name for name, kind in zip(robot.joints, robot.joint_kinds) if name not in names and kind != "floating"]
    if strange:
        raise ValueError(f"the model has no joint `{strange[0]}`; its joints are {', '.join(names)}")
    return [names.index(name) + 1 if name in names else k + 1 for k, name in enumerate(robot.joints)]


# MuJoCo


def _attributes(**values: Any) -> str:
    def text(x: Any) -> str:
        return x if isinstance(x, str) else " ".join(_number(y) for y in np.ravel(x))

    return "".join(f" {key}={quoteattr(text(x))}" for key, x in values.items() if x is not None)


def _name(model: Any, kind: str, index: int) -> str:
    return getattr(model, kind)(index).name or f"{kind}{index}"


def from_mujoco(model: Any, *, snap: float = 1e-5, independent: Sequence[str] = ()) -> Robot:
    """The robot of a compiled mujoco.MjModel: bodies, joints, drives, and the constraints connect, weld and joint."""
    import mujoco as mj

    out = [
        f"<mujoco{_attributes(model=_model_name(model))}>",
        '<compiler angle="radian" autolimits="true"/>',
        f"<option{_attributes(gravity=model.opt.gravity)}/>",
        "<worldbody>",
    ]

    def joint(j: int) -> str:
        kind, v, q = mj.mjtJoint(int(model.jnt_type[j])), model.jnt_dofadr[j], model.jnt_qposadr[j]
        name = _name(model, "joint", j)
        if kind == mj.mjtJoint.mjJNT_FREE:
            return f"<freejoint{_attributes(name=name)}/>"
        turns = {mj.mjtJoint.mjJNT_BALL: "ball", mj.mjtJoint.mjJNT_SLIDE: "slide", mj.mjtJoint.mjJNT_HINGE: "hinge"}
        one = kind != mj.mjtJoint.mjJNT_BALL
        return "<joint" + _attributes(
            name=name,
            type=turns[kind],
            pos=model.jnt_pos[j],
            axis=model.jnt_axis[j] if one else None,
            range=model.jnt_range[j] if model.jnt_limited[j] and one else None,
            ref=model.qpos0[q] if one and model.qpos0[q] != 0 else None,
            armature=model.dof_armature[v],
            damping=np.ravel(model.dof_damping[v])[0],
            frictionloss=model.dof_frictionloss[v],
        ) + "/>"

    def body(i: int) -> None:
        out.append(f"<body{_attributes(name=_name(model, 'body', i), pos=model.body_pos[i], quat=model.body_quat[i])}>")
        if model.body_mass[i] > 0 or np.any(model.body_inertia[i]):
            own = _attributes(
                pos=model.body_ipos[i],
                quat=model.body_iquat[i],
                mass=model.body_mass[i],
                diaginertia=model.body_inertia[i],
            )
            out.append(f"<inertial{own}/>")
        first = model.body_jntadr[i]
        out.extend(joint(j) for j in range(first, first + model.body_jntnum[i]))
        for child in range(i + 1, model.nbody):
            if model.body_parentid[child] == i:
                body(child)
        out.append("</body>")

    for child in range(1, model.nbody):
        if model.body_parentid[child] == 0:
            body(child)
    out.append("</worldbody>")
    out += ["<equality>", *_equalities(model, mj), "</equality>"]
    out.append("<actuator>")
    joints = (int(mj.mjtTrn.mjTRN_JOINT), int(mj.mjtTrn.mjTRN_JOINTINPARENT))
    for a in range(model.nu):
        if int(model.actuator_trntype[a]) in joints:
            driven = _name(model, "joint", int(model.actuator_trnid[a][0]))
            out.append(f"<motor{_attributes(joint=driven)}/>")
    out += ["</actuator>", "</mujoco>"]
    name = f"mujoco model {_model_name(model)}"
    return Robot.from_text("\n".join(out), "mjcf", name=name, snap=snap, independent=list(independent))


def _model_name(model: Any) -> str:
    """The first of the names that a compiled model stores is its own."""
    return bytes(model.names).split(b"\0", 1)[0].decode() or "robot"


def _equalities(model: Any, mj: Any) -> list[str]:
    out = []
    for e in range(model.neq):
        if not model.eq_active0[e]:
            continue
        kind, data = mj.mjtEq(int(model.eq_type[e])), model.eq_data[e]
        one, other = int(model.eq_obj1id[e]), int(model.eq_obj2id[e])
        name = model.equality(e).name or f"equality{e}"
        sites = int(model.eq_objtype[e]) == int(mj.mjtObj.mjOBJ_SITE)
        if kind == mj.mjtEq.mjEQ_JOINT:
            second = _name(model, "joint", other) if other >= 0 else None
            own = _attributes(name=name, joint1=_name(model, "joint", one), joint2=second, polycoef=data[:5])
            out.append(f"<joint{own}/>")
        elif kind in (mj.mjtEq.mjEQ_CONNECT, mj.mjtEq.mjEQ_WELD) and sites:
            raise ValueError(
                f"constraint `{name}` is between sites, of which a compiled model says too little; read the MJCF file"
            )
        elif kind in (mj.mjtEq.mjEQ_CONNECT, mj.mjtEq.mjEQ_WELD):
            bodies = {"body1": _name(model, "body", one), "body2": _name(model, "body", other) if other else None}
            if kind == mj.mjtEq.mjEQ_CONNECT:
                out.append(f"<connect{_attributes(name=name, **bodies, anchor=data[:3])}/>")
            else:
                pose = np.concatenate([data[3:6], data[6:10]])
                out.append(f"<weld{_attributes(name=name, **bodies, anchor=data[:3], relpose=pose)}/>")
        else:
            raise ValueError(f"constraint `{name}` is a {kind.name}; Steiner knows connect, weld and joint")
    return out


def update_mujoco(robot: Robot, model: Any) -> None:
    """Writes inertias, rotor inertias and friction into a mujoco.MjModel of the same robot, and its constants anew."""
    import mujoco as mj

    known = {_name(model, "body", i): i for i in range(1, model.nbody)}
    strange = [name for name in robot.bodies if name not in known]
    if strange:
        raise ValueError(f"the model has no body `{strange[0]}`; its bodies are {', '.join(known)}")
    for link, ten in robot.link_inertias.items():
        if link not in known:
            continue
        i = known[link]
        mass, com, tensor = _ten(ten)
        values, axes = np.linalg.eigh(tensor)
        if np.linalg.det(axes) < 0:
            axes[:, 0] = -axes[:, 0]
        quaternion = np.zeros(4)
        mj.mju_mat2Quat(quaternion, np.ascontiguousarray(axes).ravel())
        model.body_mass[i], model.body_ipos[i] = mass, com
        model.body_inertia[i], model.body_iquat[i] = values, quaternion
    joints = {_name(model, "joint", j): j for j in range(model.njnt)}
    for name, own in robot.drives.items():
        if name in joints:
            v = model.jnt_dofadr[joints[name]]
            model.dof_armature[v], model.dof_frictionloss[v] = own["rotor_inertia"], own["coulomb"]
            np.ravel(model.dof_damping[v : v + 1])[0] = own["viscous"]
    mj.mj_setConst(model, mj.MjData(model))


# robot_descriptions


def from_description(name: str, **options: Any) -> Robot:
    """A robot of the package robot_descriptions, by the name of its module: "panda_description"."""
    try:
        module = importlib.import_module(f"robot_descriptions.{name}")
    except ModuleNotFoundError as error:
        if error.name == "robot_descriptions":
            raise ModuleNotFoundError("robot_descriptions is missing; pip install robot_descriptions") from None
        sentence = f"robot_descriptions has no robot `{name}`; robot_descriptions.DESCRIPTIONS lists them"
        raise ValueError(sentence) from None
    paths = (getattr(module, kind, None) for kind in ("URDF_PATH", "MJCF_PATH", "XACRO_PATH"))
    path = next((path for path in paths if path), None)
    if path is None:
        raise ValueError(f"{name} of robot_descriptions has neither URDF nor MJCF")
    return Robot(path, **options)
