/* Generated code's side of bench/generated.py: times one task on the states of a file, or writes, state by state, the forces it
   computes and the accelerations it finds from these.

       generated STATES TASK [FILE]

   The peer, bench/pinocchio.cpp, takes the same tasks and measures the same way. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "robot_dynamics.h"

enum { REPEATS = 31 };
static const double repeat_seconds = 2e-3;

static size_t count, nq, nv;
static const double *q, *qd, *qdd;
static double out[ROBOT_DOF * (ROBOT_PARAMETERS + ROBOT_DOF)];

static void inverse_dynamics(size_t k) { robot_inverse_dynamics(q + k * nq, qd + k * nv, qdd + k * nv, out); }
static void base_regressor(size_t k) { robot_base_regressor(q + k * nq, qd + k * nv, qdd + k * nv, out); }
static void mass_matrix(size_t k) { robot_mass_matrix(q + k * nq, out); }
static void bias_forces(size_t k) { robot_bias_forces(q + k * nq, qd + k * nv, out); }
static void forward_dynamics(size_t k) { robot_forward_dynamics(q + k * nq, qd + k * nv, qdd + k * nv, out); }

static double seconds(void (*task)(size_t), size_t passes)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t pass = 0; pass < passes; ++pass)
        for (size_t k = 0; k < count; ++k) task(k);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const struct {
    const char *name;
    void (*run)(size_t);
} tasks[] = {
    { "inverse-dynamics", inverse_dynamics }, { "single", base_regressor },   { "mass-matrix", mass_matrix },
    { "bias-forces", bias_forces },           { "forward-dynamics", forward_dynamics },
};

int main(int argc, char **argv)
{
    if (argc < 3) return fprintf(stderr, "usage: generated STATES TASK [FILE]\n"), 2;
    static double numbers[1 << 20];
    FILE *file = fopen(argv[1], "rb");
    if (!file || fread(numbers, sizeof(double), sizeof(numbers) / sizeof(double), file) < 3) return perror(argv[1]), 1;
    fclose(file);
    count = (size_t)numbers[0], nq = (size_t)numbers[1], nv = (size_t)numbers[2];
    q = numbers + 3, qd = q + count * nq, qdd = qd + count * nv;
    if (strcmp(argv[2], "write") == 0) {
        file = argc > 3 ? fopen(argv[3], "wb") : NULL;
        if (!file) return perror("generated: output"), 1;
        for (size_t k = 0; k < count; ++k) {
            static double tau[ROBOT_DOF];
            robot_inverse_dynamics(q + k * nq, qd + k * nv, qdd + k * nv, tau);
            robot_forward_dynamics(q + k * nq, qd + k * nv, tau, out);
            fwrite(tau, sizeof(double), nv, file);
            fwrite(out, sizeof(double), nv, file);
        }
        return fclose(file);
    }
    for (size_t t = 0; t < sizeof(tasks) / sizeof(tasks[0]); ++t) {
        if (strcmp(argv[2], tasks[t].name) != 0) continue;
        double times[REPEATS];
        size_t passes = 1;
        while (seconds(tasks[t].run, passes) < repeat_seconds) passes *= 2;
        for (int k = 0; k < REPEATS; ++k) times[k] = seconds(tasks[t].run, passes) / (double)(passes * count) * 1e9;
        qsort(times, REPEATS, sizeof(double), by_size);
        printf("%.1f %.1f\n", times[REPEATS / 2], times[0]);
        return 0;
    }
    return fprintf(stderr, "no task is called %s\n", argv[2]), 2;
}
