"""Solves the programs of `cargo bench --bench consistent` again with Clarabel and prints both sides.

Needs cvxpy and clarabel from PyPI; one line of JSON for each program on the standard input.
"""

import json
import sys
import time

import cvxpy as cp
import numpy as np

PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def solve(program):
    """The minimum of a program, and seconds."""
    size, blocks = len(program["prior"]), program["blocks"]
    z = cp.Variable(size)
    objective = 0.5 * cp.sum_squares(np.array(program["data"]) @ z - np.array(program["rhs"]))
    constraints = []
    weight = program["weight"]
    for k in range(blocks):
        s = cp.Variable((4, 4), symmetric=True)
        for i in range(4):
            constraints.append(z[10 * k + i] == s[i, i])
        for i, (r, c) in enumerate(PAIRS):
            constraints.append(z[10 * k + 4 + i] == np.sqrt(2) * s[r, c])
        if program["entropic"]:
            objective += weight * (cp.trace(s) - cp.log_det(s) - 4)
        else:
            constraints.append(s >> 0)
            objective += 0.5 * weight * cp.sum_squares(s - np.eye(4))
    for k, own in enumerate(program["weights"]):
        objective += 0.5 * own * cp.square(z[10 * blocks + k] - program["prior"][10 * blocks + k])
    constraints += [z[k] >= 0 for k in program["positive"]]
    constraints += [np.array(row) @ z >= value for row, value in program["inequalities"]]
    constraints += [np.array(row) @ z == value for row, value in program["equalities"]]
    problem = cp.Problem(cp.Minimize(objective), constraints)
    started = time.perf_counter()
    tight = dict(tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9, max_iter=500)
    problem.solve(solver=cp.CLARABEL, **tight)
    return problem.value, problem.status, time.perf_counter() - started


def main():
    ours, theirs, worse, failed, refused, proven = [], [], [], [], [], 0
    for line in sys.stdin:
        program = json.loads(line)
        if "refused" in program:
            refused.append((program["name"], program["refused"]))
            continue
        try:
            value, status, seconds = solve(program)
        except (cp.SolverError, ValueError) as error:
            value, status, seconds = None, str(error).splitlines()[0], 0.0
        ours.append(program["seconds"])
        proven += program["gap"] <= 1e-6 * (1 + program["objective"])
        if value is None or status not in ("optimal", "optimal_inaccurate") or not np.isfinite(value):
            failed.append((program["name"], status))
            continue
        theirs.append(seconds)
        difference = (program["objective"] - value) / (1 + abs(value))
        if abs(difference) > 1e-6:
            worse.append((program["name"], difference, status))
    print(f"programs: {len(ours)}, refused by us: {len(refused)}, failed by Clarabel: {len(failed)}")
    print(f"our gap proven below 1e-6: {proven} of {len(ours)}")
    lower = sum(difference < 0 for _, difference, _ in worse)
    doubtful = sum(difference > 0 and status != "optimal" for _, difference, status in worse)
    print(
        f"objectives that differ by more than 1e-6: {len(worse)}; ours is lower in {lower}, and in {doubtful} "
        "Clarabel's is lower but inaccurate by its own word"
    )
    worse = [entry for entry in worse if entry[1] > 0 and entry[2] == "optimal"]
    print(f"ours is higher than Clarabel's optimum: {len(worse)}")
    if theirs:
        print(f"median seconds: ours (whole identification) {np.median(ours):.4f}, Clarabel (program alone) {np.median(theirs):.4f}")
    for group in (refused, failed, worse):
        for entry in group[:20]:
            print("  ", *entry)


if __name__ == "__main__":
    main()
