//! Robots that PSDM is not for, and states that are no states.

mod support;

use steiner_model::{ModelError, Psdm, PsdmOptions};
use support::{derived, mechanism, named};

fn refusal(name: &str) -> ModelError {
    Psdm::derive(&named(name), &PsdmOptions::default()).unwrap_err()
}

#[test]
fn loops_branches_and_other_joints_are_named() {
    assert!(refusal("delta").to_string().contains("`loop1` closes a loop"), "{}", refusal("delta"));
    assert!(refusal("go2").to_string().contains("is floating"), "{}", refusal("go2"));
    assert!(refusal("go2").to_string().contains("use the recursive generator"));
    // Code of loops there is none: what takes them is named.
    assert!(
        refusal("four_bar").to_string().contains("the regressor and inverse dynamics take loops"),
        "{}",
        refusal("four_bar")
    );
    let branch = "name = \"fork\"\n[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n\
                  [[body]]\nname = \"b\"\nparent = \"a\"\njoint = \"revolute\"\nxyz = [1, 0, 0]\n\
                  [[body]]\nname = \"c\"\nparent = \"a\"\njoint = \"revolute\"\nxyz = [0, 1, 0]\n";
    let fork = Psdm::derive(&mechanism(branch), &PsdmOptions::default());
    assert!(matches!(fork, Err(ModelError::Branch { ref joint, .. }) if joint == "c"), "{fork:?}");
    let geared = branch.replace(
        "parent = \"a\"\njoint = \"revolute\"\nxyz = [0, 1",
        "parent = \"b\"\njoint = \"revolute\"\nxyz = [0, 1",
    ) + "[[coupling]]\ncoordinate = \"c\"\nterms = [[\"a\", 2]]\n";
    let geared = Psdm::derive(&mechanism(&geared), &PsdmOptions::default());
    assert!(matches!(geared, Err(ModelError::Coupled { .. })), "{geared:?}");
}

#[test]
fn ten_joints_are_refused_with_what_they_would_cost() {
    let mut text = String::from("name = \"snake\"\n");
    for k in 1..=10 {
        let parent = if k == 1 { "base".to_owned() } else { format!("link{}", k - 1) };
        text += &format!(
            "[[body]]\nname = \"link{k}\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = [0.1, 0, 0]\n"
        );
    }
    let error = Psdm::derive(&mechanism(&text), &PsdmOptions::default()).unwrap_err();
    let ModelError::TooLong { joints, seconds, gibibytes, .. } = &error else { panic!("{error}") };
    assert_eq!(*joints, 10);
    assert!(*seconds > 60.0 && *gibibytes > 2.0, "{error}");
}

#[test]
fn parameters_that_don_t_exist_cannot_be_neglected() {
    let options = PsdmOptions { neglect: vec!["link1.mq".to_owned()], ..PsdmOptions::default() };
    let error = Psdm::derive(&named("two_link"), &options).unwrap_err();
    assert!(error.to_string().contains("link1.mq"), "{error}");
}

#[test]
fn states_and_parameters_are_checked() {
    let model = derived(&named("two_link"));
    let theta = model.nominal();
    let arm = model.calibrate(&theta).unwrap();
    assert!(matches!(arm.inverse_dynamics(&[0.0], &[0.0; 2], &[0.0; 2]), Err(ModelError::Shape { .. })));
    assert!(matches!(arm.bias(&[0.0; 2], &[f64::NAN, 0.0]), Err(ModelError::NotFinite { .. })));
    assert!(matches!(model.calibrate(&theta[1..]), Err(ModelError::Shape { .. })));
    assert!(matches!(model.base_values(&[1.0; 3]), Err(ModelError::Shape { .. })));
    let backwards: Vec<f64> = theta.iter().map(|x| -x).collect();
    let impossible = model.calibrate(&backwards).unwrap().forward_dynamics(&[0.1; 2], &[0.0; 2], &[1.0; 2]);
    assert!(matches!(impossible, Err(ModelError::MassNotPositive { ref joint }) if joint == "link1"));
}

#[test]
fn nine_axes_in_general_position_are_refused_before_they_fill_the_memory() {
    let mut text = String::from("name = \"snake\"\n");
    let mut random = support::Random::new(9);
    for k in 0..9 {
        let parent = if k == 0 { "base".to_owned() } else { format!("b{k}") };
        let (xyz, rpy) = (random.numbers(3, 0.5), random.numbers(3, 1.0));
        text += &format!(
            "[[body]]\nname = \"b{}\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = {xyz:.3?}\nrpy = {rpy:.3?}\n",
            k + 1
        );
    }
    let error = Psdm::derive(&support::mechanism(&text), &PsdmOptions::default()).unwrap_err().to_string();
    assert!(
        error.contains("GiB, more than 2 GiB") && error.contains("use the recursive generator"),
        "{error}"
    );
}
