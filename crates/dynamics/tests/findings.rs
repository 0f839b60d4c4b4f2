//! What is asked about a mechanism again and again is found once.

mod support;

use support::mechanism;

#[test]
fn a_question_is_answered_once_and_a_failure_is_asked_again() {
    let arm = mechanism("[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\n");
    let mut asked = 0;
    let mut ask = |key: u32, good: bool| {
        let answer = arm.found_once(key, || {
            asked += 1;
            if good { Ok(f64::from(key)) } else { Err(()) }
        });
        answer.map(|x| *x)
    };
    assert_eq!(ask(3, false), Err(()));
    assert_eq!(
        [ask(3, true), ask(3, true), ask(4, true), ask(3, true)],
        [Ok(3.0), Ok(3.0), Ok(4.0), Ok(3.0)]
    );
    assert_eq!(asked, 3);
}
