//! Bad input: each is one sentence that names file, line, element and remedy; nothing
//! panics, hangs or fills the memory.

use std::time::{Duration, Instant};

use steiner_formats::{Format, FormatError, ReadOptions, assemble, parse_text, read_robot};
use steiner_robot::{Robot, evaluate_direction};

fn read(text: &str, format: Format) -> Result<Robot, FormatError> {
    let name = if format == Format::Toml { "r.toml" } else { "r.urdf" };
    let options = ReadOptions::default();
    parse_text(text, name, format, None, &options).and_then(|description| assemble(description, &options))
}

#[track_caller]
fn urdf(text: &str) -> String {
    complaint(text, Format::Urdf)
}

#[track_caller]
fn toml(text: &str) -> String {
    complaint(text, Format::Toml)
}

#[track_caller]
fn complaint(text: &str, format: Format) -> String {
    let start = Instant::now();
    let error = read(text, format).expect_err("this should be refused").to_string();
    assert!(start.elapsed() < Duration::from_secs(10), "took {:?}", start.elapsed());
    assert!(error.starts_with("r.") && !error.contains('\n') && error.len() < 500, "{error}");
    error
}

/// A URDF of two links and a joint, with something in the joint and something behind it.
fn two_links(inside: &str, behind: &str) -> String {
    format!(
        "<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n<joint name='j' type='revolute'>\n<parent link='a'/>\n\
         <child link='b'/>\n{inside}\n</joint>\n{behind}\n</robot>"
    )
}

fn body(lines: &str) -> String {
    format!("[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n{lines}\n")
}

#[test]
fn the_documents_these_tests_spoil_are_good() {
    read(&two_links("", ""), Format::Urdf).unwrap();
    read(&body(""), Format::Toml).unwrap();
}

#[test]
fn a_missing_parent() {
    assert_eq!(
        urdf(&two_links(
            "",
            "<joint name='k' type='fixed'>\n<parent link='forearm'/><child link='a'/></joint>"
        )),
        "r.urdf:9: joint `k`: there is no link or body `forearm`; define it or correct the name"
    );
    assert_eq!(
        urdf("<robot><link name='a'/><joint name='j' type='fixed'><child link='a'/></joint></robot>"),
        "r.urdf:1: <joint name=\"j\">: <parent> is missing; add it"
    );
    assert_eq!(
        toml(&body("").replace("base", "forearm")),
        "r.toml:1: joint `a`: there is no link or body `forearm`; define it or correct the name"
    );
    assert_eq!(
        toml("[[body]]\nname = \"a\"\njoint = \"fixed\""),
        "r.toml:1: body `a`: `parent` is missing; add it"
    );
}

#[test]
fn a_cycle_without_a_loop() {
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name='{name}' type='revolute'><parent link='{parent}'/><child link='{child}'/></joint>\n"
        )
    };
    let ring = format!(
        "<robot>\n<link name='root'/><link name='a'/><link name='b'/>\n{}{}</robot>",
        joint("j", "a", "b"),
        joint("k", "b", "a")
    );
    assert_eq!(
        urdf(&ring),
        "r.urdf:4: the joints form a cycle through link `a`; open it at one joint and close it with a <loop> (URDF+) \
         or [[loop]] (TOML)"
    );
    let rootless = ring.replace("<link name='root'/>", "");
    assert!(urdf(&rootless).contains("form a cycle through link `a`"));
    assert!(urdf(&two_links("", "").replace("parent link='a'", "parent link='b'")).contains("cycle"));
    let toml_ring = format!(
        "{}{}",
        body("").replace("base", "b"),
        body("").replace("\"a\"", "\"b\"").replace("base", "a")
    );
    assert!(toml(&toml_ring).contains("the joints form a cycle through link `a`"));
}

#[test]
fn two_parents_and_two_roots() {
    let second = "<link name='c'/>\n<joint name='k' type='fixed'><parent link='a'/><child link='c'/></joint>\n\
                  <joint name='l' type='fixed'><parent link='c'/><child link='b'/></joint>";
    assert_eq!(
        urdf(&two_links("", second)),
        "r.urdf:11: link `b` is the child of joints `j` and `l`; keep one and make the other a <loop> (URDF+) or \
         [[loop]] (TOML)"
    );
    assert_eq!(
        urdf(&two_links("", "<link name='c'/>")),
        "r.urdf:9: links `a` and `c` both have no parent; join one to the rest, a robot has one root"
    );
}

#[test]
fn names_used_twice() {
    assert_eq!(
        urdf(&two_links("", "<link name='b'/>")),
        "r.urdf:9: link: the name `b` is used twice (first on line 3); give each its own name"
    );
    let twice = "<link name='c'/><joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint>";
    assert_eq!(
        urdf(&two_links("", twice)),
        "r.urdf:9: joint: the name `j` is used twice (first on line 4); give each its own name"
    );
    assert_eq!(
        toml(&format!("{0}{0}", body(""))),
        "r.toml:6: link: the name `a` is used twice (first on line 1); give each its own name"
    );
    assert_eq!(
        toml("[lengths]\nl = 1\n[angles]\nl = 2\n"),
        "r.toml:4: [angles] l: defined twice; keep it in one of [lengths] and [angles]"
    );
    assert_eq!(
        toml("[lengths]\nsin = 1\n"),
        "r.toml:2: [lengths] sin: `sin` is reserved for expressions; choose another name"
    );
    assert!(
        toml("name = \"a\"\nname = \"b\"")
            .starts_with("r.toml:2: the file is not well formed (duplicate key")
    );
}

#[test]
fn a_zero_axis() {
    assert_eq!(
        urdf(&two_links("<axis xyz='0 0 0'/>", "")),
        "r.urdf:4: joint `j`: the axis is zero; give its direction, any length"
    );
    assert_eq!(
        toml(&body("axis = [0, \"pi - pi\", 0]")),
        "r.toml:1: joint `a`: the axis is zero; give its direction, any length"
    );
    let universal = body("axis2 = [0, 0, 0]").replace("revolute", "universal");
    assert_eq!(
        toml(&universal),
        "r.toml:1: joint `a`, axis2: the axis is zero; give its direction, any length"
    );
}

#[test]
fn an_axis_without_a_direction() {
    for axis in ["[1e300, 1e300, 0]", "[1e-300, 2e-300, 0]"] {
        match read(&body(&format!("axis = {axis}")), Format::Toml) {
            Ok(robot) => {
                let direction = evaluate_direction::<f64>(&robot.bodies[0].joint.axis).unwrap().value;
                assert!((direction.dot(direction) - 1.0).abs() < 1e-12, "{axis}");
            }
            Err(error) => assert_eq!(
                error.to_string(),
                "r.toml:1: joint `a`: the axis is so long or short that its direction is lost; scale it to a length near one"
            ),
        }
    }
}

#[test]
fn messages_stay_on_one_line() {
    let error = toml(&body("xyz = [0, 0, \"\"\"1\n+ 2 x\"\"\"]"));
    assert_eq!(error, "r.toml:5: body `a`, xyz: `1 + 2 x` breaks off or continues unexpectedly at `x`");
}

#[test]
fn numbers_that_are_none() {
    let inertial = |mass: &str| {
        two_links("", "").replace(
            "<link name='b'/>",
            &format!("<link name='b'><inertial>\n<mass value='{mass}'/></inertial></link>"),
        )
    };
    assert_eq!(
        urdf(&inertial("NaN")),
        "r.urdf:4: <mass> of <link name=\"b\">: value: `NaN` is not finite; write a finite number"
    );
    assert_eq!(
        urdf(&inertial("1,2")),
        "r.urdf:4: <mass> of <link name=\"b\">: value: `1,2` is not a number; write a decimal such as 0.25 or -1.5e-3"
    );
    assert_eq!(
        urdf(&inertial("-1")),
        "r.urdf:4: <mass> of <link name=\"b\">: the mass -1 kg is negative; correct the inertia"
    );
    assert_eq!(
        urdf(&inertial("")),
        "r.urdf:4: <mass> of <link name=\"b\">: the attribute `value` is missing or empty; add it"
    );
    assert_eq!(
        urdf(&two_links("<origin xyz='0 nan 0'/>", "")),
        "r.urdf:7: <origin> of <joint name=\"j\">: xyz: `nan` is not finite; write a finite number"
    );
    assert!(urdf(&two_links("<origin xyz='0 1e400 0'/>", "")).contains("finite"));
    assert!(urdf(&two_links("<origin xyz='0 1e999999999999 0'/>", "")).contains("exponent"));
    assert_eq!(
        toml(&body("inertia = { mass = -1 }")),
        "r.toml:5: body `a`, inertia: the mass -1 kg is negative; correct the inertia"
    );
    assert_eq!(
        toml(&body("xyz = [nan, 0, 0]")),
        "r.toml:5: body `a`, xyz: `nan` is not finite; write a finite number"
    );
    assert!(toml(&body("xyz = [0, 0, -inf]")).contains("`-inf` is not finite"));
    assert!(toml(&body("xyz = [0, 0, true]")).contains("a number is expected"));
}

#[test]
fn moments_that_overflow() {
    let text = two_links("", "").replace(
        "<link name='b'/>",
        "<link name='b'><inertial><mass value='1e300'/><origin xyz='1e300 0 0'/></inertial></link>",
    );
    assert_eq!(
        urdf(&text),
        "r.urdf:3: <inertial> of <link name=\"b\">: its moments about the link's origin overflow; correct the inertia"
    );
    assert!(toml(&body("inertia = { mass = 1e300, com = [1e300, 0, 0] }")).contains("overflow"));
}

#[test]
fn unknown_joint_kinds() {
    assert_eq!(
        urdf(&two_links("", "").replace("revolute", "revolut")),
        "r.urdf:4: <joint name=\"j\">: `revolut` is not a kind of joint; use one of revolute, continuous, prismatic, \
         planar, floating, fixed, spherical"
    );
    assert_eq!(
        toml(&body("").replace("revolute", "hinge")),
        "r.toml:4: body `a`: `hinge` is not a kind of joint; use one of revolute, continuous, prismatic, helical, \
         cylindrical, universal, spherical, planar, floating, fixed"
    );
    let closure =
        "[[loop]]\njoint = \"hinge\"\npredecessor = { body = \"base\" }\nsuccessor = { body = \"a\" }";
    assert!(
        toml(&body(closure))
            .contains("loop `loop1`: `hinge` is not a kind of joint; use one of revolute, prismatic")
    );
    let helical = body("").replace("revolute", "helical");
    assert_eq!(toml(&helical), "r.toml:1: body `a`: a helical joint needs `pitch`; add it");
}

#[test]
fn expressions_without_a_value() {
    let xyz = |expression: &str| toml(&body(&format!("xyz = [\"{expression}\", 0, 0]")));
    assert_eq!(
        xyz("l1 + 2"),
        "r.toml:5: body `a`, xyz: `l1` in `l1 + 2` is not known; define it, above its use, under [lengths] or [angles], or use pi, \
         sqrt, sin, cos, tan, asin, acos, atan"
    );
    for (expression, part) in [
        ("1/0", "divides by zero"),
        ("1/(2-sqrt(4))", "divides by zero"),
        ("0^(-1)", "divides by zero"),
        ("sqrt(-1)", "outside its domain"),
        ("acos(2)", "outside its domain"),
        ("2^0.5", "only integers from -64 to 64"),
        ("2^1000000000000", "only integers from -64 to 64"),
        ("1 +", "breaks off or continues unexpectedly"),
        ("(1", "breaks off or continues unexpectedly"),
        ("", "breaks off or continues unexpectedly"),
        ("2 3", "breaks off or continues unexpectedly"),
        ("9^64^2", "only integers"),
        ("(10^60)^60", "finite"),
    ] {
        let error = xyz(expression);
        assert!(error.contains(part), "{expression}: {error}");
    }
    assert!(xyz(&"(".repeat(3000)).contains("too long or too deeply nested"));
    assert!(xyz(&"-".repeat(3000)).contains("too long or too deeply nested"));
    assert!(xyz(&"1+".repeat(100_000)).contains("too long or too deeply nested"));
}

#[test]
fn chains_of_names_that_double() {
    for step in ["l{}+l{}", "l{}*l{}", "sqrt(l{}+l{})", "l{}*pi+l{}"] {
        let mut text = "[lengths]\nl0 = 1.5\n".to_owned();
        for k in 1..=100 {
            text += &format!("l{k} = \"{}\"\n", step.replace("{}", &(k - 1).to_string()));
        }
        text += &body("xyz = [\"l100\", 0, 0]");
        let start = Instant::now();
        if let Err(error) = read(&text, Format::Toml) {
            let error = error.to_string();
            assert!(error.contains("grows beyond any use") || error.contains("finite"), "{error}");
        }
        assert!(start.elapsed() < Duration::from_secs(10), "{step}: {:?}", start.elapsed());
    }
}

#[test]
fn unknown_keys_and_wrong_shapes() {
    assert_eq!(
        toml(&body("xyzz = [0, 0, 0]")),
        "r.toml:5: body `a`: unknown key `xyzz` (did you mean `xyz`?); use one of name, parent, joint, joint_name, \
         xyz, rpy, rotation, dh, mdh, axis, axis2, pitch, frame, inertia, limits, rotor_inertia, friction, passive, capsules"
    );
    assert!(
        toml("gravty = [0, 0, 0]\n")
            .starts_with("r.toml:1: file: unknown key `gravty` (did you mean `gravity`?)")
    );
    assert!(toml(&body("limits = { low = 1 }")).contains("body `a`, limits: unknown key `low`"));
    assert_eq!(
        toml(&body("xyz = [0, 0]")),
        "r.toml:5: body `a`, xyz: 3 numbers are expected, 2 found; write a list such as [0, 0, 1]"
    );
    assert_eq!(
        toml(&body("xyz = 1")),
        "r.toml:5: body `a`, xyz: a list of 3 numbers is expected; write a list such as [0, 0, 1]"
    );
    assert_eq!(
        toml(&body("inertia = { mass = 1, tensor = [1, 2, 3] }")),
        "r.toml:5: body `a`, inertia.tensor: 6 numbers are expected, 3 found; write [Ixx, Ixy, Iyy, Ixz, Iyz, Izz]"
    );
    assert_eq!(
        urdf(&two_links("<origin xyz='0 0'/>", "")),
        "r.urdf:7: <origin> of <joint name=\"j\">: xyz=\"0 0\" has 2 numbers; give three, separated by blanks"
    );
    assert_eq!(
        toml(&body("frame = 3")),
        "r.toml:5: body `a`, frame: a table is expected here; write key = value pairs"
    );
    assert_eq!(toml("body = 3"), "r.toml:1: body: a list of tables is expected; write [[body]]");
    assert_eq!(toml("[[body]]\nname = 3"), "r.toml:2: body 1: a text is expected; put it in quotes");
    assert_eq!(toml("planar = 1"), "r.toml:1: planar: neither true nor false; write planar = true");
    assert_eq!(
        toml(&body("[[coupling]]\ncoordinate = \"a\"\nterms = [\"a\", 2]")),
        "r.toml:7: coupling 1: terms are pairs of a coordinate and a factor; write [[\"link1\", 9.0]]"
    );
    assert_eq!(urdf("<robt/>"), "r.urdf:1: <robt>: the root element is <robt>; a URDF starts with <robot>");
    assert_eq!(
        urdf(&two_links("", "").replace("type='revolute'", "type='revolute' independent='no'")),
        "r.urdf:4: <joint name=\"j\">: independent=\"no\"; write \"true\" or \"false\""
    );
}

#[test]
fn wrong_rotations_and_two_placements() {
    assert_eq!(
        toml(&body("rotation = [[1, 0, 0], [0, 1, 0], [0, 0, 2]]")),
        "r.toml:5: body `a`, rotation: the matrix is not a rotation (defect 3.0e0); give three orthonormal rows, \
         right-handed"
    );
    assert!(toml(&body("rotation = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]")).contains("not a rotation"));
    assert!(toml(&body("rotation = [[1, 0, 0], [0, 1, 0]]")).contains("3 rows are expected, 2 found"));
    assert!(toml(&body("rotation = 1")).contains("a 3×3 list is expected"));
    assert_eq!(
        toml(&body("xyz = [0, 0, 0]\ndh = { a = 1 }")),
        "r.toml:6: body `a`: dh comes together with xyz, dh; keep one way of placing the joint"
    );
    assert_eq!(
        toml(&body("rpy = [0, 0, 0]\nrotation = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]")),
        "r.toml:6: body `a`: both rpy and rotation are given; keep one"
    );
}

#[test]
fn relations_that_relate_nothing() {
    let unknown = "[[coupling]]\ncoordinate = \"b\"\nterms = [[\"a\", 2]]";
    assert_eq!(
        toml(&body(unknown)),
        "r.toml:5: coupling `b`: there is no joint `b`; define it or correct the name"
    );
    assert!(
        toml(&body("[[coupling]]\ncoordinate = \"a\"\nterms = [[\"a\", 2]]"))
            .contains("`a` depends on itself")
    );
    assert!(
        toml(&format!("independent = [\"elbow\"]\n{}", body("")))
            .contains("independent: there is no joint `elbow`")
    );
    assert!(
        toml(&format!("dependent = [\"elbow\"]\n{}", body("")))
            .contains("dependent: there is no joint `elbow`")
    );
    assert!(toml(&body("[guess]\nelbow = 1")).contains("guess `elbow`: there is no joint `elbow`"));
    assert!(toml(&body("[guess]\na = [1, 2]")).contains("guess `a`"));
    let closure = "[[loop]]\njoint = \"fixed\"\npredecessor = { body = \"a\" }\nsuccessor = { body = \"a\" }";
    assert!(toml(&body(closure)).contains("both sides sit on the same rigid body"));
    assert_eq!(
        urdf(&two_links("", "<coupling name='g'><predecessor link='b'/><successor link='c'/></coupling>")),
        "r.urdf:9: <successor> of <coupling name=\"g\">: there is no link or body `c`; define it or \
         correct the name"
    );
    assert_eq!(
        urdf(&two_links("<mimic joint='k'/>", "")),
        "r.urdf:7: <mimic> of joint `j`: there is no joint `k`; define it or correct the name, or read the \
         file without <mimic>"
    );
}

#[test]
fn markup_that_is_none() {
    assert!(urdf("").starts_with("r.urdf:1: the file is not well formed (it holds no element"));
    assert!(urdf("<robot>").starts_with("r.urdf:1: the file is not well formed ("));
    assert!(
        urdf("<robot>\n<link name='a' name='b'/></robot>")
            .starts_with("r.urdf:2: the file is not well formed (")
    );
    assert!(urdf("<robot>\n</robo>").starts_with("r.urdf:2: the file is not well formed ("));
    assert_eq!(urdf("<robot/>"), "r.urdf: <robot>: it has no links; add <link> and <joint> elements");
    assert_eq!(
        toml(""),
        "r.toml: the robot has no moving body; add a joint that moves, or let its root float"
    );
    assert!(toml("name = \n").starts_with("r.toml:1: the file is not well formed ("));
}

#[test]
fn bombs_do_not_go_off() {
    let laughs = (1..10).fold("<!DOCTYPE r [<!ENTITY l0 'ha'>".to_owned(), |text, k| {
        text + &format!("<!ENTITY l{k} '{}'>", format!("&l{};", k - 1).repeat(10))
    }) + "]>\n<robot name='&l9;'/>";
    let error = urdf(&laughs);
    assert_eq!(
        error,
        "r.urdf:1: the file is not well formed (it declares a document type or entities, which Steiner refuses); \
         repair the markup there"
    );
    let external = "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><robot name='&x;'/>";
    assert!(urdf(external).contains("document type"));
    let deep = format!("<robot>{}{}</robot>", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert_eq!(
        urdf(&deep),
        "r.urdf:1: the file is not well formed (elements are nested more than 200 deep); repair the markup there"
    );
    let sly = format!("<robot>{}", "<a b='/>'>".repeat(100_000));
    assert!(urdf(&sly).contains("nested more than 200 deep"));
    // Quadratic readers would take hours over these.
    for text in ["<".repeat(8 << 20), "<a ".repeat(2 << 20), "<!--".repeat(2 << 20), "<a b='".repeat(1 << 20)]
    {
        urdf(&text);
    }
    for text in [
        "[".repeat(100_000),
        "a = ".to_owned() + &"[".repeat(100_000),
        "a = ".to_owned() + &"{b=".repeat(100_000),
    ] {
        assert!(toml(&text).contains("not well formed"));
    }
    assert!(toml(&format!("{}a = 1", "a.".repeat(100_000))).contains("not well formed"));
}

#[test]
fn commented_out_markup_is_not_counted() {
    let text = two_links(&format!("<!-- {} -->", "<a>".repeat(500)), "");
    read(&text, Format::Urdf).unwrap();
}

#[test]
fn many_elements_are_read_in_linear_time() {
    let mut text = "<robot>\n<link name='l0'/>\n".to_owned();
    for k in 1..5000 {
        text += &format!(
            "<link name='l{k}'/>\n<joint name='j{k}' type='revolute'><parent link='l{}'/><child link='l{k}'/></joint>\n",
            k - 1
        );
    }
    text += "</robot>";
    let start = Instant::now();
    assert_eq!(read(&text, Format::Urdf).unwrap().bodies.len(), 4999);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(
        urdf(&text.replace("'revolute'>", "'fixed'><origin xyz='1 0 0'/>"))
            .contains("more than 1000 fixed joints follow each other")
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = std::env::temp_dir().join(format!("steiner-bad-input-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let options = ReadOptions::default();
    let refused = |name: &str| {
        let path = folder.join(name).display().to_string();
        let start = Instant::now();
        let error = read_robot(&path, &options).expect_err(name).to_string();
        assert!(start.elapsed() < Duration::from_secs(2), "{name}");
        error.strip_prefix(&path).unwrap_or_else(|| panic!("{error}")).to_owned()
    };
    let remedy = "check the path, or name a built-in robot";
    assert_eq!(refused("none.urdf"), format!(": cannot be read (there is no such file); {remedy}"));
    std::fs::create_dir_all(folder.join("folder.urdf")).unwrap();
    assert_eq!(refused("folder.urdf"), format!(": cannot be read (it is a folder); {remedy}"));
    // A hole of 100 MB takes no space.
    std::fs::File::create(folder.join("huge.urdf")).unwrap().set_len(100 << 20).unwrap();
    assert_eq!(
        refused("huge.urdf"),
        ": 100 MB is more than the 32 MB a robot description may have; meshes and logs don't belong in it"
    );
    std::fs::write(folder.join("latin.urdf"), b"<robot name='caf\xe9'/>").unwrap();
    assert_eq!(refused("latin.urdf"), format!(": cannot be read (it is not text in UTF-8); {remedy}"));
    std::fs::write(folder.join("empty.urdf"), "").unwrap();
    assert!(refused("empty.urdf").contains("it holds no element"));
    std::fs::write(folder.join("empty.toml"), "").unwrap();
    assert!(refused("empty.toml").contains("no moving body"));
    std::fs::write(folder.join("notes.txt"), "hello").unwrap();
    assert_eq!(
        refused("notes.txt"),
        ": this is not a robot format Steiner reads; give a .urdf, .xacro, MJCF .xml or .toml file"
    );
    std::fs::write(folder.join("zeros.toml"), vec![0; 1000]).unwrap();
    assert!(refused("zeros.toml").contains("not well formed"));
    std::fs::remove_dir_all(&folder).unwrap();
    let unknown = read_robot("no_such_robot", &options).unwrap_err().to_string();
    assert!(unknown.starts_with("there is no built-in robot `no_such_robot`"), "{unknown}");
}
