"""Find out which masses, centres of mass and inertias your sensors can reveal, and identify them from a
log. SI units, radians."""

from os import PathLike
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Literal,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypedDict,
    Union,
    overload,
)

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Path = Union[str, PathLike[str]]

class Table(Protocol):
    """A table of pandas, polars or Arrow: columns by name."""

    def __getitem__(self, name: Any, /) -> Any: ...
    @property
    def columns(self) -> Any: ...

OneLog = Union[Path, Mapping[str, Any], Table]
"""A file (CSV, Parquet, NPZ, MAT v5, MCAP, rosbag2), the folder of a LeRobot dataset, or names with arrays: columns
`t`, `q_<joint>`, `qd_<joint>`, `qdd_<joint>`, `tau_<joint>`, `wrench_<link>_fx` …, or arrays `t` (S,), `q` (S, nq),
`qd`, `qdd`, `tau` (S, dof), `wrench_<link>` (S, 6)."""
Logs = Union[OneLog, Sequence[OneLog]]
__version__: str

class NullVector(TypedDict):
    """A direction of parameters that no measurement sees, with its reason."""

    principle: str
    joint: Optional[str]
    bodies: List[str]
    text: str
    place: Any
    entries: List[Any]

class Point(TypedDict):
    """Where the second pass of an Accumulator takes scores."""

    values: Array
    weights: Array
    block: int

def _restored(name: str, state: Any) -> Any: ...

@overload
def zoo(show: None = None) -> List[Tuple[str, str]]: ...
@overload
def zoo(show: str) -> str:
    """The text of a built-in robot's mechanism file."""

class Robot:
    def __init__(
        self,
        source: Union[str, PathLike[str]],
        floating: bool = False,
        gravity: Optional[Sequence[float]] = None,
        snap: float = 1e-5,
        mimic: bool = True,
        package_path: Sequence[Union[str, PathLike[str]]] = (),
        xacro: Dict[str, str] = {},
        lock: Dict[str, float] = {},
        independent: Sequence[str] = (),
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def bodies(self) -> List[str]: ...
    @property
    def joints(self) -> List[str]: ...
    @property
    def joint_kinds(self) -> List[str]: ...
    @property
    def dof(self) -> int: ...
    @property
    def mobility(self) -> int: ...
    @property
    def tree_dof(self) -> int: ...
    @property
    def nq(self) -> int: ...
    @property
    def loops(self) -> int: ...
    @property
    def independent(self) -> List[str]: ...
    @property
    def labels(self) -> List[str]: ...
    @property
    def parameters(self) -> Array: ...
    @property
    def gravity(self) -> List[float]: ...
    @property
    def link_inertias(self) -> Dict[str, Array]: ...
    @property
    def drives(self) -> Dict[str, Dict[str, float]]: ...
    @property
    def reference(self) -> Array: ...
    @property
    def snapped(self) -> int: ...
    @property
    def inconsistencies(self) -> Dict[str, str]: ...
    def regressor(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, out: Optional[Array] = None, threads: Optional[int] = None
    ) -> Array: ...
    def inverse_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        parameters: Optional[ArrayLike] = None,
        out: Optional[Array] = None,
        threads: Optional[int] = None,
        drives: bool = False,
    ) -> Array: ...
    def forward_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        out: Optional[Array] = None,
        threads: Optional[int] = None,
        drives: bool = False,
    ) -> Array: ...
    def mass_matrix(
        self, q: ArrayLike, out: Optional[Array] = None, threads: Optional[int] = None
    ) -> Array: ...
    def gravity_force(
        self, q: ArrayLike, out: Optional[Array] = None, threads: Optional[int] = None
    ) -> Array: ...
    def tree_configuration(
        self, q: ArrayLike, out: Optional[Array] = None, threads: Optional[int] = None
    ) -> Array: ...
    def velocity_map(
        self, q: ArrayLike, out: Optional[Array] = None, threads: Optional[int] = None
    ) -> Array: ...
    def psdm(
        self,
        neglect: Sequence[str] = (),
        drives: bool = False,
        *,
        accuracy: Optional[float] = None,
        confidence: float = 0.999,
        profile: str = "fast",
        forward: bool = False,
        refit: bool = True,
    ) -> Psdm:
        """The closed form of a serial arm; with accuracy (relative, as in 1e-3) a smaller one for a task: slow, fast,
        a .toml file with ranges, or a recorded motion."""
    def info(self) -> Dict[str, Any]:
        """What the file says, checked: what `steiner info --json` prints."""
    def _repr_html_(self) -> str: ...
    def code(
        self,
        language: Literal["c", "rust"] = "c",
        what: Optional[Union[str, Sequence[str]]] = None,
        theta: bool = False,
        float: bool = False,
        drives: bool = False,
        method: Literal["recursive", "psdm", "fastest"] = "recursive",
        prefix: Optional[str] = None,
    ) -> Dict[str, str]: ...
    def q_to_pinocchio(self, q: ArrayLike, out: Optional[Array] = None) -> Array: ...
    def q_from_pinocchio(self, q: ArrayLike, out: Optional[Array] = None) -> Array: ...
    @staticmethod
    def from_text(
        text: str,
        format: Literal["urdf", "xacro", "mjcf", "toml"] = "urdf",
        *,
        name: str = "robot",
        floating: bool = False,
        snap: float = 1e-5,
        mimic: bool = True,
        independent: Sequence[str] = (),
    ) -> Robot: ...
    @staticmethod
    def from_pinocchio(model: Any, constraints: Optional[Sequence[Any]] = None, *, snap: float = 1e-5) -> Robot: ...
    @staticmethod
    def from_mujoco(model: Any, *, snap: float = 1e-5, independent: Sequence[str] = ()) -> Robot: ...
    @staticmethod
    def from_description(name: str, **options: Any) -> Robot: ...
    def update_pinocchio(self, model: Any) -> None: ...
    def update_mujoco(self, model: Any) -> None: ...

class Psdm:
    @staticmethod
    def load(path: Union[str, PathLike[str]]) -> Psdm: ...
    def save(self, path: Union[str, PathLike[str]]) -> None: ...
    @property
    def robot(self) -> str: ...
    @property
    def dof(self) -> int: ...
    @property
    def joints(self) -> List[str]: ...
    @property
    def functions(self) -> List[str]: ...
    @property
    def exponents(self) -> NDArray[np.uint8]: ...
    @property
    def labels(self) -> List[str]: ...
    @property
    def base_parameters(self) -> List[Dict[str, object]]: ...
    @property
    def theta(self) -> Array: ...
    @property
    def reduction(self) -> Optional[Dict[str, Any]]:
        """What leaving functions out came to: functions_before, base_parameters_before, accuracy, confidence, error,
        truncated_error, profile, samples; None for the whole model."""
    def inverse_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        theta: Optional[ArrayLike] = None,
        out: Optional[Array] = None,
        threads: Optional[int] = None,
    ) -> Array: ...
    def regressor(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, out: Optional[Array] = None, threads: Optional[int] = None
    ) -> Array: ...
    def mass_matrix(
        self,
        q: ArrayLike,
        theta: Optional[ArrayLike] = None,
        out: Optional[Array] = None,
        threads: Optional[int] = None,
    ) -> Array: ...
    def bias_forces(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        theta: Optional[ArrayLike] = None,
        out: Optional[Array] = None,
        threads: Optional[int] = None,
    ) -> Array: ...
    def forward_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        theta: Optional[ArrayLike] = None,
        out: Optional[Array] = None,
        threads: Optional[int] = None,
    ) -> Array: ...
    def equations(self, notation: Literal["text", "latex"] = "text") -> str: ...
    def _repr_latex_(self) -> str: ...

class Analysis:
    @property
    def labels(self) -> List[str]: ...
    @property
    def identifiable(self) -> int: ...
    @property
    def nullspace(self) -> Array: ...
    @property
    def base(self) -> Array: ...
    @property
    def base_names(self) -> List[str]: ...
    @property
    def vectors(self) -> List[NullVector]: ...
    @property
    def weak(self) -> List[Dict[str, Any]]: ...
    @property
    def certificate(self) -> Optional[Dict[str, Any]]: ...
    @property
    def comparison(self) -> Optional[List[Dict[str, Any]]]:
        """What other sensors would add: measure, parameters, identifiable, together, adds, now_visible, now_alone."""
    @property
    def log(self) -> Optional[Dict[str, Any]]:
        """What the log excites: samples, rank, condition_number, weakly_excited, base_parameters, notes."""
    def to_dict(self) -> Dict[str, Any]: ...
    def to_html(self, path: Optional[Path] = None) -> Optional[str]: ...
    def _repr_html_(self) -> str: ...

def analyze(
    robot: Robot,
    measure: str = "all",
    *,
    drives: bool = False,
    fix: Optional[Dict[str, float]] = None,
    keep: Optional[Sequence[str]] = None,
    eliminate: Optional[Sequence[str]] = None,
    method: str = "auto",
    certify: bool = True,
    compare: Optional[Sequence[str]] = None,
    log: Optional[Logs] = None,
    hold_out: Optional[float] = None,
    validate_from: Optional[float] = None,
    validate_to: Optional[float] = None,
    mapping: Optional[Path] = None,
    topics: Optional[Sequence[str]] = None,
    accept_cut: bool = False,
    cutoff: Union[Literal["auto", "off"], float] = "auto",
    filter_order: int = 4,
    padding: Optional[int] = None,
    filter_forces: bool = True,
    differences: Literal[2, 4, 6, 8] = 8,
    derive: bool = False,
    trim: Union[Literal["auto"], float] = "auto",
    thin: Union[str, int] = "auto",
    resample: Union[Literal["auto", "never"], float] = "auto",
    start: Optional[float] = None,
    end: Optional[float] = None,
    skip_bad_rows: bool = False,
    rest: float = 0.02,
) -> Analysis:
    """Which inertial parameters can be identified from what is measured: all, static, joints:a,b, wrench:joint,
    base-wrench, or several joined by +. compare: what other sensors would add; log: recorded motion, and which base
    parameters it excites."""

class Identification:
    """Inertias and friction found in logs. Base parameters are in the order of `base_names`, all
    parameters in that of `labels`; SI units.

    Residuals are relative: 1 is all that was measured.
    """

    @property
    def payloads(self) -> Dict[str, Payload]:
        """Loads of logs that were recorded with an unknown one, by log."""
    @property
    def robot(self) -> Robot:
        """The robot with its identified inertias. As for every robot, regressor and inverse_dynamics are
        those of the bodies; `predict` knows the drives."""
    @property
    def base_names(self) -> List[str]: ...
    @property
    def parameters(self) -> Array:
        """The base parameters of the identified model, (b,)."""
    @property
    def sigma(self) -> Array:
        """Their standard deviations, the larger of those for white noise and from blocks of neighbouring
        samples, (b,); infinite where the log does not excite them."""
    @property
    def covariance(self) -> Array:
        """Of their least-squares values, for white noise, (b, b)."""
    @property
    def robust_covariance(self) -> Optional[Array]:
        """The same from blocks of neighbouring samples."""
    @property
    def base(self) -> Array:
        """Rows over all parameters, (b, labels): base @ model are the base parameters."""
    @property
    def labels(self) -> List[str]: ...
    @property
    def model(self) -> Array:
        """All parameters: ten of every body, then those of drives; where the log determines nothing, the
        file's."""
    @property
    def table(self) -> Dict[str, Any]:
        """Columns name, value, sigma, white_sigma, robust_sigma, relative_sigma_percent, least_squares,
        prior, terms: pandas.DataFrame(r.table)."""
    def to_pandas(self) -> Any: ...
    @property
    def residual(self) -> Dict[str, Any]:
        """On what the model was made from: total, joints, rms, samples, counted; least_squares and prior
        for comparison."""
    @property
    def validation(self) -> Any:
        """The same on what was held out; None if nothing was."""
    @property
    def condition_number(self) -> float: ...
    @property
    def weakly_excited(self) -> List[str]: ...
    @property
    def consistent(self) -> Dict[str, bool]:
        """For every link whether a body can have such an inertia."""
    @property
    def settings(self) -> Dict[str, Any]:
        """What was asked, with what the defaults became."""
    @property
    def notes(self) -> List[str]: ...
    def predict(
        self,
        log: Logs,
        *,
        mapping: Optional[Path] = None,
        topics: Optional[Sequence[str]] = None,
        accept_cut: bool = False,
        cutoff: Union[Literal["auto", "off"], float] = "auto",
        filter_order: int = 4,
        padding: Optional[int] = None,
        filter_forces: bool = True,
        differences: Literal[2, 4, 6, 8] = 8,
        derive: bool = False,
        trim: Union[Literal["auto"], float] = "auto",
        thin: Union[str, int] = "auto",
        resample: Union[Literal["auto", "never"], float] = "auto",
        start: Optional[float] = None,
        end: Optional[float] = None,
        skip_bad_rows: bool = False,
        rest: float = 0.02,
    ) -> Dict[str, Any]:
        """Prediction of the model, drives included, for a log: t (S,), rows (names), measured and
        predicted (S, rows), counted (S, rows)."""
    def to_dict(self) -> Dict[str, Any]:
        """What `steiner identify --json` prints."""
    def to_html(self, path: Optional[Path] = None) -> Optional[str]:
        """The report; written if a path is given, returned otherwise. Runs through the logs once more."""
    def save(self, path: Path, lumped: Literal["moving-link", "proportional"] = "moving-link") -> List[str]:
        """Writes the robot's file with its identified numbers, .urdf or .toml; answers remarks."""
    def _repr_html_(self) -> str: ...

def identify(
    robot: Robot,
    log: Logs,
    *,
    validate: Optional[Logs] = None,
    hold_out: Optional[float] = None,
    validate_from: Optional[float] = None,
    validate_to: Optional[float] = None,
    mapping: Optional[Path] = None,
    topics: Optional[Sequence[str]] = None,
    accept_cut: bool = False,
    cutoff: Union[Literal["auto", "off"], float] = "auto",
    filter_order: int = 4,
    padding: Optional[int] = None,
    filter_forces: bool = True,
    differences: Literal[2, 4, 6, 8] = 8,
    derive: bool = False,
    trim: Union[Literal["auto"], float] = "auto",
    thin: Union[str, int] = "auto",
    resample: Union[Literal["auto", "never"], float] = "auto",
    start: Optional[float] = None,
    end: Optional[float] = None,
    skip_bad_rows: bool = False,
    rest: float = 0.02,
    measure: Optional[str] = None,
    drives: bool = True,
    tanh: Optional[float] = None,
    stribeck: Optional[float] = None,
    friction: str = "auto",
    coupled_drives: Optional[Dict[str, Dict[str, float]]] = None,
    crosswise: Optional[Sequence[str]] = None,
    unknown_gain: Optional[Sequence[str]] = None,
    fix: Optional[Dict[str, float]] = None,
    payload: Optional[str] = None,
    payload_of: Optional[Dict[Union[int, Path], Union[None, float, Sequence[float]]]] = None,
    payload_on: Optional[str] = None,
    keep: Optional[Sequence[str]] = None,
    eliminate: Optional[Sequence[str]] = None,
    least_speed: Optional[Dict[str, float]] = None,
    free_flight: bool = False,
    align: bool = False,
    estimator: str = "weighted",
    consistent: bool = True,
    mass: Optional[Dict[str, Tuple[float, float]]] = None,
    total_mass: Optional[float] = None,
    centre: Optional[Dict[str, Union[Literal["mesh"], Sequence[Sequence[float]], Array]]] = None,
    pull: Literal["log-det", "entropic", "quadratic"] = "log-det",
    essential: bool = False,
    block: Optional[int] = None,
    threads: Optional[int] = None,
    on_progress: Union[None, bool, Callable[[float], object]] = None,
) -> Identification:
    """Inertias and friction from recorded motions and forces, as a physically consistent model.

    validate: logs for validation only; hold_out: share of every log, at its end, held out (0.25, or 0
    with validate). measure: what is measured, as in analyze; by default what the log has. fix: known
    parameters; payload: the one link that is unknown; payload_of: known loads, kg or (kg, x, y, z), by log
    (path or number), carried by payload_on; None if unknown (payloads). estimator: weighted, ordinary, huber
    (huber=1.345), iv, simulation (simulation=1: windows of 1 s) or ridge (ridge=1). mass: least and
    greatest mass of links, kg; centre: two corners of a box or the points of a hull for the centre of mass
    of links, m, or "mesh": the hull of its shape in the file. cutoff: end of the low-pass filter where something must be derived, Hz. start, end:
    only what was recorded then, s.
    """

class Formulas:
    """Base parameters as formulas of lengths and angles; from formulas."""

    @property
    def variables(self) -> Dict[str, float]: ...
    @property
    def terms(self) -> Dict[str, Dict[str, str]]:
        """{base parameter: {parameter: weight}}, weights as texts that SymPy reads."""
    @property
    def definitions(self) -> List[str]: ...
    @property
    def sensitivity(self) -> Optional[Dict[str, Dict[str, str]]]:
        """Derivatives of all weights with respect to the length or angle that was asked for."""
    @property
    def family(self) -> Optional[Dict[str, Any]]:
        """Special lengths, where asked for: identifiable, members, unsolved, left_out."""
    @property
    def notes(self) -> List[str]: ...
    @property
    def latex(self) -> str: ...
    def code(self, language: Literal["python", "c", "rust"] = "python") -> str: ...
    def __call__(self, **values: float) -> Array:
        """B (base parameters, parameters) for other lengths (m) and angles (rad)."""
    def to_dict(self) -> Dict[str, Any]: ...
    def _repr_latex_(self) -> str: ...

def formulas(
    robot: Robot,
    measure: str = "all",
    *,
    drives: bool = False,
    fix: Optional[Dict[str, float]] = None,
    keep: Optional[Sequence[str]] = None,
    eliminate: Optional[Sequence[str]] = None,
    planar: Optional[bool] = None,
    sensitivity: Optional[str] = None,
    family: bool = False,
    frames: Literal["file", "mdh"] = "file",
) -> Formulas:
    """Base parameters as formulas of the robot's named lengths and angles; without names it gets some.

    planar: four parameters per link of a mechanism in a plane (what the file says, if None). sensitivity: a length or
    angle to differentiate by. family: special lengths with another number of base parameters. frames: "mdh" for
    modified Denavit–Hartenberg frames.
    """

class Accumulator:
    """What logs have shown of a robot so far: small, whatever their length, and merged in any order."""

    def __init__(self, robot: Robot, **settings: Any) -> None:
        """settings are the keywords of identify; give measure, and cutoff where motion must be filtered."""
    def add(self, log: Logs) -> Accumulator:
        """Takes logs in; answers itself."""
    def merge(self, other: Accumulator) -> Accumulator:
        """Takes in what another has taken in; answers itself."""
    def __add__(self, other: Accumulator) -> Accumulator: ...
    def empty(self) -> Accumulator:
        """One of the same robot and settings that has taken nothing in."""
    def moved(self, by: ArrayLike) -> Accumulator:
        """As if base parameters (b,) had been smaller by `by` while the logs were recorded."""
    def state(self) -> Tuple[Any, ...]:
        """All that was taken in, without robot and settings."""
    def with_state(self, state: Tuple[Any, ...]) -> Accumulator: ...
    def point(self) -> Point:
        """Where the second pass takes scores."""
    def scores(self, log: Logs, at: Union[Point, Dict[str, Any]]) -> Scores:
        """The second pass over logs."""
    def solve(self, scores: Optional[Scores] = None) -> Identification:
        """Parameters, uncertainties and the consistent model; without scores for white noise."""
    @property
    def robot(self) -> Robot: ...
    @property
    def samples(self) -> int: ...
    @property
    def held_out(self) -> int: ...
    @property
    def logs(self) -> int: ...
    @property
    def base_names(self) -> List[str]: ...
    @property
    def of_drives(self) -> NDArray[np.bool_]:
        """Whether each base parameter belongs to drives, (b,)."""
    @property
    def triangle(self) -> Array:
        """R (b + 1, b + 1) over the base parameters and what was measured, rows divided by their noise."""

class Scores:
    """What blocks of neighbouring samples pull at the parameters; from Accumulator.scores."""

    def merge(self, other: Scores) -> Scores: ...
    def __add__(self, other: Scores) -> Scores: ...
    @property
    def blocks(self) -> int: ...

class Payload:
    """What a link carries, in the link's frame. σ is inf where nothing is seen."""

    @property
    def link(self) -> str: ...
    @property
    def samples(self) -> int: ...
    @property
    def mass(self) -> float: ...
    @property
    def mass_sigma(self) -> float: ...
    @property
    def com(self) -> Array:
        """Centre of mass (3,), m."""
    @property
    def com_sigma(self) -> Array: ...
    @property
    def inertia(self) -> Array:
        """About the centre of mass (3, 3), kg·m²."""
    @property
    def inertia_sigma(self) -> Array: ...
    @property
    def parameters(self) -> Array:
        """m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the link's origin (10,)."""
    @property
    def covariance(self) -> Array:
        """Of the parameters (10, 10)."""
    @property
    def counts_arm(self) -> bool:
        """Whether σ counts the errors of the robot's own parameters."""
    @property
    def remarks(self) -> List[str]:
        """What is not seen yet and what to do about it, and what σ leaves out."""

class PayloadEstimator:
    """Mass, centre of mass and inertia of what a link carries, from one sample after the other."""

    def __init__(
        self,
        robot: Union[Robot, Identification],
        link: str,
        *,
        noise: Optional[Union[Sequence[float], Array]] = None,
        forgetting: float = 1.0,
        drives: bool = True,
        tanh: Optional[float] = None,
        least_speed: float = 0.01,
        block: int = 200,
        mass: Optional[Tuple[float, float]] = None,
        centre: Optional[Tuple[Sequence[float], Sequence[float]]] = None,
    ) -> None:
        """robot: taken as exact, or an Identification, whose errors then count. link: a moving link, or
        one fixed to it. noise: of each joint's force (dof,). forgetting: what a tick makes of the weight
        of all before it. mass: least and greatest, kg; centre: two corners of a box in the link's frame, m."""
    def update(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, tau: ArrayLike) -> None:
        """One sample, (nq,) and (dof,), or many, (S, …)."""
    def estimate(self) -> Payload: ...
    def reset(self) -> None:
        """Forgets all samples."""
    @property
    def samples(self) -> int: ...

def simulate(
    robot: Robot,
    path: Optional[Path] = None,
    *,
    trajectory: Optional[Logs] = None,
    mapping: Optional[Path] = None,
    seed: int = 1,
    duration: float = 20.0,
    rate: float = 1000.0,
    motion: Literal["fourier", "sinusoids"] = "fourier",
    harmonics: int = 5,
    period: Optional[float] = None,
    reach: float = 0.8,
    still: Optional[Sequence[str]] = None,
    drives: bool = True,
    friction: Optional[Dict[str, Sequence[float]]] = None,
    rotor_inertia: Optional[Dict[str, float]] = None,
    gain: Optional[Dict[str, float]] = None,
    tanh: Optional[float] = None,
    contacts: Optional[Union[Dict[str, Tuple[float, float]], Sequence[str]]] = None,
    carried_by: Optional[str] = None,
    base_wrench: bool = False,
    wrench: Optional[Sequence[str]] = None,
    noise: float = 0.0,
    force_noise: float = 0.0,
    position_noise: float = 0.0,
    velocity_noise: float = 0.0,
    acceleration_noise: float = 0.0,
    position_step: float = 0.0,
    force_step: float = 0.0,
    rates: bool = True,
) -> Dict[str, Array]:
    """A synthetic log, as columns that identify takes; written to a file too if a path (.csv, .npz) is
    given.

    Noise is relative for `noise`, in SI units otherwise. contacts: greatest random force (N) and torque
    (N·m) on links; carried_by: the link a floating robot hangs from or stands on. friction: {joint: (viscous,
    Coulomb)} instead of the file's ("all": every joint); gain: forces of these joints are recorded as currents.
    """

class Motion:
    """A motion that shows the base parameters of a robot; from excite. SI units."""

    @property
    def validation(self) -> Optional[Motion]:
        """A second, different motion, where validate=True asked for it."""
    @property
    def robot(self) -> Robot: ...
    @property
    def t(self) -> Array:
        """Times, s, (S,); for poses their numbers."""
    @property
    def q(self) -> Array:
        """Configurations, rad or m, (S, nq)."""
    @property
    def qd(self) -> Array:
        """Velocities, rad/s or m/s, (S, dof)."""
    @property
    def qdd(self) -> Array:
        """Accelerations, rad/s² or m/s², (S, dof)."""
    def at(self, t: Sequence[float]) -> Tuple[Array, Array, Array]:
        """q, qd, qdd at other times (s)."""
    @property
    def sd(self) -> Dict[str, float]:
        """The standard deviation to be expected of each base parameter."""
    @property
    def base_names(self) -> List[str]: ...
    @property
    def information(self) -> Array:
        """Σ YᵀWY / samples on the base parameters, (b, b)."""
    @property
    def log_det(self) -> float: ...
    @property
    def condition_number(self) -> float: ...
    @property
    def feasible(self) -> bool: ...
    @property
    def margins(self) -> List[Dict[str, Any]]:
        """Every limit: of, quantity, value, limit, unit, time, margin, bound ("proven", "sampled", "violated")."""
    @property
    def summary(self) -> List[str]: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def seconds(self) -> float: ...
    def save(self, path: Path, force: bool = False) -> None:
        """.csv, .npz, .yaml or .json (trajectory_msgs/JointTrajectory), .xml (MuJoCo keyframes)."""
    def to_dict(self) -> Dict[str, Any]: ...
    def to_html(self, path: Optional[Path] = None) -> Optional[str]: ...
    def _repr_html_(self) -> str: ...

def excite(
    robot: Robot,
    *,
    duration: float = 10.0,
    rate: float = 1000.0,
    shape: str = "fourier",
    harmonics: int = 5,
    periods: int = 1,
    measure: str = "all",
    drives: bool = True,
    criterion: Literal["d", "a", "e", "condition"] = "d",
    purpose: Optional[str] = None,
    noise: Optional[Union[float, Dict[str, float]]] = None,
    after: Optional[Logs] = None,
    limits: Optional[Dict[str, Union[str, Tuple[float, float]]]] = None,
    speed: float = 1.0,
    torque_margin: float = 0.0,
    start: Optional[Dict[str, float]] = None,
    still: Optional[Sequence[str]] = None,
    sums: Optional[Sequence[str]] = None,
    obstacles: Optional[Sequence[str]] = None,
    floor: Optional[float] = None,
    clearance: float = 0.01,
    radius: Optional[float] = None,
    self_collision: bool = True,
    feet: Optional[Sequence[str]] = None,
    ground_friction: float = 0.6,
    starts: Optional[int] = None,
    seconds: Optional[float] = None,
    seed: int = 0,
    threads: Optional[int] = None,
    mapping: Optional[Path] = None,
    topics: Optional[Sequence[str]] = None,
    accept_cut: bool = False,
    cutoff: Union[Literal["auto", "off"], float] = "auto",
    filter_order: int = 4,
    padding: Optional[int] = None,
    filter_forces: bool = True,
    differences: Literal[2, 4, 6, 8] = 8,
    derive: bool = False,
    trim: Union[Literal["auto"], float] = "auto",
    thin: Union[str, int] = "auto",
    resample: Union[Literal["auto", "never"], float] = "auto",
    skip_bad_rows: bool = False,
    rest: float = 0.02,
    validate: bool = False,
    on_progress: Union[None, bool, Callable[[float], object]] = None,
) -> Motion:
    """The motion to record: as informative about the base parameters as the robot's limits allow.

    duration in s, rate in Hz; noise is the standard deviation of measured forces in N·m or N. limits as in
    {"joint1": "-2.8:2.8,v=2,a=10,jerk=100,effort=80,power=200"}; obstacles as in ["plane:0,0,1,0",
    "box:0.4,-0.3,0:0.8,0.3,0.5"] (m, base frame); sums as in ["joint5+joint6=-3:3"]. after: logs whose weak
    spots the motion mends. feet: links on which a floating robot stands, start the pose of its legs. validate: a second motion too, Motion.validation. Ctrl-C returns the best motion so far.
    """

class Check:
    """Whether parameters can be found from sensors and a motion; from check."""

    @property
    def ok(self) -> bool:
        """Whether everything that was asked for can be found."""
    @property
    def wanted(self) -> List[Dict[str, Any]]:
        """For each parameter: want, parameter, verdict, ok, combination, sigma, file_value, why, remedies, actions."""
    @property
    def file(self) -> List[Dict[str, Any]]:
        """Inertias of the file that look wrong: body, kind, text."""
    @property
    def alarms(self) -> List[Dict[str, Any]]:
        """What is wrong with the log, by an identification from it: kind, text."""
    def to_dict(self) -> Dict[str, Any]:
        """What `steiner check --json` prints."""
    def _repr_html_(self) -> str: ...

def check(
    robot: Robot,
    log: Optional[Logs] = None,
    *,
    want: Union[str, Sequence[str]] = (),
    measure: Optional[str] = None,
    drives: bool = True,
    fix: Optional[Mapping[str, float]] = None,
    noise: float = 1.0,
    mapping: Optional[Path] = None,
    topics: Optional[Sequence[str]] = None,
    accept_cut: bool = False,
    cutoff: Union[Literal["auto", "off"], float] = "auto",
    filter_order: int = 4,
    padding: Optional[int] = None,
    filter_forces: bool = True,
    differences: Literal[2, 4, 6, 8] = 8,
    derive: bool = False,
    trim: Union[Literal["auto"], float] = "auto",
    thin: Union[str, int] = "auto",
    resample: Union[Literal["auto", "never"], float] = "auto",
    start: Optional[float] = None,
    end: Optional[float] = None,
    skip_bad_rows: bool = False,
    rest: float = 0.02,
) -> Check:
    """Can these parameters be found from these sensors and this motion? Which not, why, and what to measure or move
    instead. want: "link6.m", "link2", "joint3.friction", "payload:link6", "*.m", or a list of them."""

class Comparison:
    """Two models compared on one log. Residuals are pairs, in the order the robots were given."""

    @property
    def as_written(self) -> Dict[str, Any]:
        """total, joints, nearer (the better one; None where the log cannot decide), stretches_won,
        certainty."""
    @property
    def drives_fitted(self) -> Optional[Dict[str, Any]]:
        """The same with the drives that suit each best."""
    @property
    def verdict(self) -> List[str]: ...
    @property
    def notes(self) -> List[str]: ...
    def to_dict(self) -> Dict[str, Any]: ...
    def to_html(self, path: Optional[Path] = None) -> Optional[str]: ...
    def _repr_html_(self) -> str: ...

def compare(
    first: Robot,
    second: Robot,
    log: Logs,
    *,
    names: Optional[Tuple[str, str]] = None,
    validate: Optional[Logs] = None,
    hold_out: Optional[float] = None,
    validate_from: Optional[float] = None,
    validate_to: Optional[float] = None,
    mapping: Optional[Path] = None,
    topics: Optional[Sequence[str]] = None,
    accept_cut: bool = False,
    cutoff: Union[Literal["auto", "off"], float] = "auto",
    filter_order: int = 4,
    padding: Optional[int] = None,
    filter_forces: bool = True,
    differences: Literal[2, 4, 6, 8] = 8,
    derive: bool = False,
    trim: Union[Literal["auto"], float] = "auto",
    thin: Union[str, int] = "auto",
    resample: Union[Literal["auto", "never"], float] = "auto",
    start: Optional[float] = None,
    end: Optional[float] = None,
    skip_bad_rows: bool = False,
    rest: float = 0.02,
    measure: Optional[str] = None,
    tanh: Optional[float] = None,
    on_progress: Union[None, bool, Callable[[float], object]] = None,
) -> Comparison:
    """Which model predicts the measured torques better: as written, and with drives fitted to each."""
