//! xacro: what macros, properties and expressions come to, and what a user reads when they don't.

use std::fs;
use std::path::{Path, PathBuf};

use steiner_formats::{Format, FormatError, ReadOptions, assemble, parse_text, read_robot};
use steiner_robot::Robot;
use steiner_scalar::Fp;

fn read_with(text: &str, options: &ReadOptions) -> Result<Robot, FormatError> {
    assemble(parse_text(text, "robot.xacro", Format::Xacro, None, options)?, options)
}

/// A document around the given lines; the first of them is line 2.
fn document(inside: &str) -> String {
    format!("<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n{inside}\n</robot>")
}

fn robot(inside: &str) -> Robot {
    read_with(&document(inside), &ReadOptions::default()).unwrap()
}

fn complaint(inside: &str) -> String {
    read_with(&document(inside), &ReadOptions::default()).expect_err("the document is wrong").to_string()
}

/// The text an expression comes to, as the name of a link.
fn value(expression: &str) -> String {
    let text = format!(
        r#"<link name="base"/><link name="{expression}"/>
           <joint name="j" type="continuous"><parent link="base"/><child link="{expression}"/></joint>"#
    );
    robot(&text).bodies[0].name.clone()
}

/// A folder that vanishes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("steiner-xacro-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn read_file(path: &Path) -> Result<Robot, FormatError> {
    read_robot(path.to_str().unwrap(), &ReadOptions::default())
}

#[test]
fn expressions_are_pythons_and_decimals_stay_exact() {
    for (expression, expected) in [
        ("${0.1 + 0.2}", "0.3"),
        ("${1 + 2 * 3 ** 2}", "19"),
        ("${7 // 2} ${-7 // 2} ${7 % 3} ${-7 % 3} ${7 / 2}", "3 -4 1 2 3.5"),
        ("${2 ** -1} ${2 ** 0.5} ${-2 ** 2}", "0.5 1.4142135623730951 -4"),
        ("${pi/2}", "1.5707963267948966"),
        ("${1 &lt; 2 &lt; 3} ${'a' == 'b'} ${not (1 &gt; 2 or False)}", "true false true"),
        ("${'left' if 1 &gt; 2 else 'right'}", "right"),
        ("${max(1, 2.5)} ${min([3, 2])} ${abs(-0.25)} ${int(2.9)} ${round(2.5)}", "2.5 2 0.25 2 2"),
        ("${degrees(pi)} ${radians(180)} ${atan2(0, 1)}", "180.0 3.141592653589793 0.0"),
        ("${[1, 2, 3][1]} ${dict(a=5)['a']} ${len('abc')} ${2 in [1, 2]}", "2 5 3 true"),
        ("${1/3}", "0.3333333333333333"),
        ("${math.sqrt(4)} ${str(1) + 'x'}", "2.0 1x"),
        ("$(eval 2 * (3 + 4))", "14"),
        ("$${untouched} costs $5", "${untouched} costs $5"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn angles_made_of_pi_are_exact_geometry() {
    let robot = robot(
        r#"<xacro:property name="tilt" value="${radians(30)}"/><link name="a"/><link name="b"/>
           <joint name="j" type="continuous"><parent link="a"/><child link="b"/>
             <origin xyz="${0.1*3} 0 0" rpy="${pi/2} ${-tilt} 0"/></joint>"#,
    );
    let frame = &robot.bodies[0].joint.placement;
    assert!(!frame.evaluate::<Fp>().unwrap().rounded);
    assert_eq!(frame.pose().translation.0[0], 0.3);
}

const ARM: &str = r#"<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="length" value="0.3"/>
  <xacro:macro name="link" params="name mass:=1.5 *origin **extra scale:=^|2 prefix:='' lower:=${-pi/2}">
    <link name="${prefix}${name}">
      <inertial>
        <xacro:insert_block name="origin"/>
        <mass value="${mass * scale}"/>
        <inertia ixx="${mass*length**2/12}" ixy="0" ixz="0" iyy="${mass*length*length/12}" iyz="0" izz="1e-3"/>
      </inertial>
      <xacro:insert_block name="extra"/>
    </link>
    <joint name="${prefix}${name}_joint" type="revolute">
      <parent link="${parent}"/>
      <child link="${prefix}${name}"/>
      <origin xyz="0 0 ${length}" rpy="${pi/2} 0 ${radians(30)}"/>
      <axis xyz="0 0 1"/>
      <limit lower="${lower}" upper="${2*pi - 1 if length &gt; 0.2 else 0}" effort="10" velocity="${7 // 2}"/>
    </joint>
  </xacro:macro>
</robot>"#;

const MAIN: &str = r#"<?xml version="1.0"?>
<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="demo">
  <xacro:arg name="side" default="left"/>
  <xacro:arg name="gripper" default="true"/>
  <xacro:include filename="$(find demo_description)/urdf/arm.xacro"/>
  <xacro:include filename="arm.xacro" ns="other"/>
  <xacro:property name="parent" value="base"/>
  <xacro:property name="sizes" value="${[0.1, 0.2, 0.3]}"/>
  <xacro:property name="lazy" value="${late + 1}"/>
  <xacro:property name="late" value="4"/>
  <xacro:property name="shared"><visual><origin xyz="${lazy} 0 0"/></visual></xacro:property>
  <link name="base"/>
  <xacro:link name="upper" prefix="$(arg side)_">
    <origin xyz="0 0 ${sizes[1]}"/>
    <extra><xacro:insert_block name="shared"/><!-- nothing --></extra>
  </xacro:link>
  <xacro:property name="parent" value="$(arg side)_upper"/>
  <xacro:property name="scale" value="3"/>
  <xacro:if value="$(arg gripper)">
    <xacro:link name="hand" mass="${sizes[0] + 0.2}" lower="0">
      <origin xyz="0 0 ${other.length * 2}"/>
      <extra/>
    </xacro:link>
  </xacro:if>
  <xacro:unless value="${'$(arg side)' == 'left' and not False}">
    <link name="never"/>
  </xacro:unless>
  <xacro:macro name="fingers" params="count">
    <xacro:if value="${count &gt; 0}">
      <link name="finger_${count}"/>
      <joint name="finger_${count}" type="continuous">
        <parent link="hand"/><child link="finger_${count}"/><origin xyz="0 ${count*0.1} 0"/>
      </joint>
      <xacro:fingers count="${count - 1}"/>
    </xacro:if>
  </xacro:macro>
  <xacro:call macro="fingers" count="3"/>
  <gazebo><text>$${literal} ${1 + 1} six</text></gazebo>
</robot>"#;

/// The demo package on disk.
fn demo(name: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(name);
    folder.write("demo_description/package.xml", "<package><name>demo_description</name></package>");
    folder.write("demo_description/urdf/arm.xacro", ARM);
    let main = folder.write("demo_description/urdf/robot.urdf.xacro", MAIN);
    (folder, main)
}

#[test]
fn a_package_of_macros_expands_as_ros_expands_it() {
    let (_folder, main) = demo("package");
    let robot = read_file(&main).unwrap();
    // Numbers printed by ROS's xacro 2.1.1 for the same files.
    let links: Vec<&str> = robot.description.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(links, ["base", "left_upper", "hand", "finger_3", "finger_2", "finger_1"]);
    let upper = robot.description.links[1].inertia.unwrap().centred();
    assert_eq!(upper.mass, 3.0);
    assert!((upper.com[2] - 0.2).abs() < 1e-15);
    assert!((upper.tensor[0] - 0.01125).abs() < 1e-16);
    let hand = robot.description.links[2].inertia.unwrap().centred();
    assert!((hand.mass - 0.9).abs() < 1e-15, "{}", hand.mass);
    assert!((hand.com[2] - 0.6).abs() < 1e-15);
    let joint = &robot.bodies[0].joint;
    assert_eq!(joint.name, "left_upper_joint");
    assert_eq!(joint.limits.lower, Some(-std::f64::consts::FRAC_PI_2));
    assert_eq!(joint.limits.upper, Some(5.283185307179586));
    assert_eq!(joint.limits.velocity, Some(3.0));
    assert!(!joint.placement.evaluate::<Fp>().unwrap().rounded);
    let hand = robot.bodies.iter().find(|body| body.name == "hand").unwrap();
    assert_eq!(hand.joint.limits.lower, Some(0.0));
    // An element remembers the file and line of its macro.
    let place = &robot.description.links[2].place;
    assert!(place.file.ends_with("arm.xacro") && place.line == Some(4), "{place}");
}

#[test]
fn arguments_choose_what_is_built() {
    let (folder, main) = demo("arguments");
    let given = |side: &str, gripper: &str| ReadOptions {
        xacro_arguments: vec![
            ("side".to_owned(), side.to_owned()),
            ("gripper".to_owned(), gripper.to_owned()),
        ],
        ..ReadOptions::default()
    };
    let error = read_robot(main.to_str().unwrap(), &given("right", "false")).unwrap_err().to_string();
    // Without the hand, the fingers have no parent; `never` appears on the right side.
    assert!(error.contains("hand") || error.contains("never"), "{error}");
    let error = read_robot(main.to_str().unwrap(), &given("left", "maybe")).unwrap_err().to_string();
    assert!(
        error.contains("robot.urdf.xacro:19") && error.contains("`maybe` is neither true nor false"),
        "{error}"
    );
    drop(folder);
}

#[test]
fn packages_are_found_on_the_given_path() {
    let (folder, _) = demo("path");
    let text = document(
        r#"<link name="base"/><xacro:include filename="package://demo_description/urdf/arm.xacro"/>"#,
    )
    .replace(
        "</robot>",
        r#"<xacro:property name="parent" value="base"/>
            <xacro:link name="x"><origin/><extra/></xacro:link></robot>"#,
    );
    let options = ReadOptions { package_path: vec![folder.0.clone()], ..ReadOptions::default() };
    assert_eq!(read_with(&text, &options).unwrap().bodies[0].name, "x");
    let error = read_with(&text, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("the package `demo_description` is not found"), "{error}");
}

#[test]
fn scopes_defaults_and_removal_of_properties() {
    let robot = robot(
        r#"<xacro:property name="a" value="outer"/>
           <xacro:property name="a" default="unused"/>
           <xacro:macro name="inner" params="">
             <xacro:property name="a" value="hidden"/>
             <xacro:property name="b" value="${a}_up" scope="parent"/>
             <xacro:property name="c" value="${a}_far" scope="global"/>
           </xacro:macro>
           <xacro:inner/>
           <link name="base"/><link name="${a} ${b} ${c}"/>
           <joint name="j" type="continuous"><parent link="base"/><child link="${a} ${b} ${c}"/></joint>"#,
    );
    assert_eq!(robot.bodies[0].name, "outer hidden_up hidden_far");
}

#[test]
fn elements_and_attributes_can_be_made() {
    let robot = robot(
        r#"<link name="base"/>
           <xacro:element xacro:name="${'li' + 'nk'}"><xacro:attribute name="name" value="made"/></xacro:element>
           <joint name="j" type="continuous"><parent link="base"/><child link="made"/></joint>"#,
    );
    assert_eq!(robot.bodies[0].name, "made");
}

#[test]
fn errors_in_the_expansion_name_the_line_of_the_macro() {
    let message = complaint(
        r#"<xacro:macro name="m" params="name">
             <link name="${name}">
               <inertial>
                 <mass value="heavy"/>
               </inertial>
             </link>
           </xacro:macro>
           <xacro:m name="a"/>"#,
    );
    assert!(message.starts_with("robot.xacro:5: <mass> of <link name=\"a\">"), "{message}");
    let message = complaint(
        r#"<xacro:macro name="m" params="name">
             <link name="${nmae}"/>
           </xacro:macro>
           <xacro:m name="a"/>"#,
    );
    assert!(
        message.starts_with(
            "robot.xacro:3: <link name=\"${nmae}\"> in the expansion of <xacro:m> of robot.xacro:5"
        ),
        "{message}"
    );
    assert!(message.contains("there is no property `nmae` (did you mean `name`?)"), "{message}");
}

#[test]
fn every_complaint_says_what_to_do() {
    for (inside, problem) in [
        ("<xacro:arm/>", "there is no macro `arm`"),
        (r#"<xacro:macro name="m" params="a"/><xacro:m/>"#, "needs the parameter `a`"),
        (r#"<xacro:macro name="m" params="a"/><xacro:m a="1" b="2"/>"#, "has no parameter `b`"),
        (r#"<xacro:macro name="m" params="*a"/><xacro:m/>"#, "the block `a` is missing"),
        (r#"<xacro:macro name="m" params="***a"/>"#, "is not a parameter"),
        (r#"<xacro:macro name="m"/><xacro:m><link/></xacro:m>"#, "inside the call is not used"),
        (r#"<xacro:insert_block name="b"/>"#, "there is no block `b`"),
        (r#"<link name="${1 +}"/>"#, "`1 +` is not an expression, at its end"),
        (r#"<link name="${1"/>"#, "is not closed"),
        (r#"<link name="${1/0}"/>"#, "divides by zero"),
        (r#"<link name="${'a' - 1}"/>"#, "needs numbers"),
        (r#"<link name="${sqrt(-1)}"/>"#, "no finite value"),
        (r#"<link name="${sqr(4)}"/>"#, "there is no function `sqr` (did you mean `sqrt`?)"),
        (r#"<link name="${xacro.load_yaml('x')}"/>"#, "does not read YAML"),
        (r#"<link name="${[1][5]}"/>"#, "has no item `5`"),
        (r#"<link name="$(arg x)"/>"#, "the argument `x` has no value"),
        (r#"<link name="$(find nowhere_at_all)"/>"#, "the package `nowhere_at_all` is not found"),
        (r#"<link name="$(fnd x)"/>"#, "`$(fnd x)` is not known"),
        (r#"<xacro:if value="${1 + }"/>"#, "is not an expression"),
        (r#"<xacro:if/>"#, "`value` is missing"),
        (r#"<xacro:include filename="x.xacro"/>"#, "without a folder"),
        (
            r#"<xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a}"/><link name="${a}"/>"#,
            "depends on itself",
        ),
        (r#"<xacro:property name="a" value="1" scope="parent"/>"#, "outside of a macro"),
    ] {
        let message = complaint(inside);
        assert!(message.starts_with("robot.xacro:2: ") && message.contains(problem), "{problem}: {message}");
        assert!(!message.contains('\n') && message.contains("; "), "{message}");
    }
}

#[test]
fn nothing_explodes() {
    let endless = complaint(r#"<xacro:macro name="m"><a><xacro:m/></a></xacro:macro><xacro:m/>"#);
    assert!(endless.contains("nest more than"), "{endless}");
    let mut doubling = String::from(r#"<xacro:macro name="m0"><link name="x"/></xacro:macro>"#);
    for k in 0..60 {
        doubling += &format!(r#"<xacro:macro name="m{}"><xacro:m{k}/><xacro:m{k}/></xacro:macro>"#, k + 1);
    }
    let message = complaint(&format!("{doubling}<xacro:m60/>"));
    assert!(message.contains("two million steps") || message.contains("larger than"), "{message}");
    let mut blocks = String::new();
    for k in 0..60 {
        blocks += &format!(
            r#"<xacro:macro name="b{}" params="*x"><xacro:b{k}><g><xacro:insert_block name="x"/><xacro:insert_block
               name="x"/></g></xacro:b{k}></xacro:macro>"#,
            k + 1
        );
    }
    let message = complaint(&format!(
        r#"<xacro:macro name="b0" params="*x"><xacro:insert_block name="x"/></xacro:macro>{blocks}<xacro:b60><link/></xacro:b60>"#
    ));
    assert!(message.contains("larger than"), "{message}");
    let mut texts = String::from(r#"<xacro:property name="t0" value="xxxxxxxx"/>"#);
    for k in 0..60 {
        texts += &format!(r#"<xacro:property name="t{}" value="${{t{k}}}${{t{k}}}"/>"#, k + 1);
    }
    let message = complaint(&format!("{texts}<link name=\"${{t60}}\"/>"));
    assert!(message.contains("64 kB") || message.contains("two million steps"), "{message}");
    let mut lists = String::from(r#"<xacro:property name="l0" value="${[1, 2]}"/>"#);
    let mut sums = String::from(r#"<xacro:property name="s0" value="1"/>"#);
    let terms = "+1".repeat(400);
    for k in 0..90 {
        lists += &format!(r#"<xacro:property name="l{}" value="${{[l{k}, l{k}]}}"/>"#, k + 1);
        sums += &format!(r#"<xacro:property name="s{}" value="${{s{k}{terms}}}"/>"#, k + 1);
    }
    let message = complaint(&format!("{lists}<link name=\"${{l60}}\"/>"));
    assert!(message.contains("nests more than"), "{message}");
    let deep = r#"<xacro:macro name="m" params="n"><a><xacro:if value="${n &gt; 0}"><xacro:m n="${n-1}"/></xacro:if>
           <xacro:unless value="${n &gt; 0}"><b c="${s90}"/></xacro:unless></a></xacro:macro>"#;
    let message = complaint(&format!("{sums}{deep}<xacro:m n=\"95\"/>"));
    assert!(message.contains("refer to each other in a row"), "{message}");
    let powers = complaint(r#"<link name="${9**9**9**9}"/>"#);
    assert!(powers.contains("finite"), "{powers}");
    let sum = complaint(&format!("<link name=\"${{{}1}}\"/>", "1+".repeat(100_000)));
    assert!(sum.contains("too long"), "{sum}");
    let parentheses = complaint(&format!("<link name=\"${{{}\"/>", "(".repeat(900)));
    assert!(parentheses.contains("not closed"), "{parentheses}");
    let parentheses = complaint(&format!("<link name=\"${{{}}}\"/>", "(".repeat(900)));
    assert!(parentheses.contains("nested too deeply"), "{parentheses}");
    let dollars = complaint(&format!("<link name=\"{}x{}\"/>", "$(".repeat(5000), ")".repeat(5000)));
    assert!(dollars.contains("nested too deeply"), "{dollars}");
}

#[test]
fn a_file_that_includes_itself_is_refused() {
    let folder = Folder::new("cycle");
    let include = |name: &str| document(&format!(r#"<xacro:include filename="{name}"/>"#));
    folder.write("b.xacro", &include("a.xacro"));
    let main = folder.write("a.xacro", &include("b.xacro"));
    let message = read_file(&main).unwrap_err().to_string();
    assert!(message.contains("b.xacro:2") && message.contains("includes itself"), "{message}");
    let main = folder.write("c.xacro", &include("missing.xacro"));
    let message = read_file(&main).unwrap_err().to_string();
    assert!(message.contains("c.xacro:2") && message.contains("does not exist"), "{message}");
}

#[test]
fn loops_by_recursion_reach_a_hundred() {
    let robot = robot(
        r#"<link name="base"/>
           <xacro:macro name="chain" params="n">
             <xacro:if value="${n &gt; 0}">
               <link name="l${n}"/>
               <joint name="j${n}" type="continuous"><parent link="base"/><child link="l${n}"/></joint>
               <xacro:chain n="${n-1}"/>
             </xacro:if>
           </xacro:macro>
           <xacro:chain n="100"/>"#,
    );
    assert_eq!(robot.bodies.len(), 100);
}
