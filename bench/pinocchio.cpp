// Pinocchio's side of bench/run: times one task on the states of a file, or writes what it computes.
//
//     pinocchio MODEL fixed|floating STATES TASK [FILE | SAMPLES]
//
// The peers take the same tasks: crates/dynamics/benches/dynamics.rs, and bench/generated.c for generated code.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/serialization.hpp>

namespace pin = pinocchio;
using Eigen::VectorXd;

constexpr std::size_t cached_bytes = 1 << 20;    // the caller's reused buffer
constexpr std::size_t dram_bytes = 256 << 20;    // a buffer that no cache holds
constexpr int repeats = 31;
constexpr double repeat_seconds = 2e-3;

struct States {
    std::vector<VectorXd> q, qd, qdd;
    std::size_t count;
};

// Steiner gives a continuous joint one angle; Pinocchio its cosine and sine.
VectorXd to_pinocchio(const pin::Model & model, const double * angles) {
    VectorXd q(model.nq);
    for (std::size_t j = 1; j < model.joints.size(); ++j) {
        const int nq = model.joints[j].nq(), nv = model.joints[j].nv(), at = model.joints[j].idx_q();
        if (nq == 2 && nv == 1) {
            q[at] = std::cos(*angles);
            q[at + 1] = std::sin(*angles++);
        } else {
            for (int k = 0; k < nq; ++k) q[at + k] = *angles++;
        }
    }
    return q;
}

// Little-endian doubles: count, size of q, size of qd, then all q, all qd, all qdd.
States read_states(const pin::Model & model, const char * path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::vector<double> numbers(std::size_t(file.tellg()) / sizeof(double));
    file.seekg(0);
    file.read(reinterpret_cast<char *>(numbers.data()), std::streamsize(numbers.size() * sizeof(double)));
    const std::size_t count = std::size_t(numbers[0]), nq = std::size_t(numbers[1]), nv = std::size_t(numbers[2]);
    const double *q = numbers.data() + 3, *qd = q + count * nq, *qdd = qd + count * nv;
    States states{{}, {}, {}, count};
    for (std::size_t k = 0; k < count; ++k) {
        states.q.push_back(to_pinocchio(model, q + k * nq));
        states.qd.push_back(Eigen::Map<const VectorXd>(qd + k * nv, Eigen::Index(nv)));
        states.qdd.push_back(Eigen::Map<const VectorXd>(qdd + k * nv, Eigen::Index(nv)));
    }
    return states;
}

// Prints the median and the least time of one sample in nanoseconds, where `pass` works through `count` of them.
void report(std::size_t count, const std::function<void()> & pass) {
    pass();
    const auto seconds = [&](std::size_t passes) {
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t k = 0; k < passes; ++k) pass();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::size_t passes = 1;
    while (seconds(passes) < repeat_seconds) passes *= 2;
    std::vector<double> times;
    for (int k = 0; k < repeats; ++k) times.push_back(seconds(passes) / double(passes * count));
    std::sort(times.begin(), times.end());
    std::printf("%.1f %.1f\n", times[repeats / 2] * 1e9, times[0] * 1e9);
}

int main(int argc, char ** argv) {
    if (argc < 5) {
        std::fprintf(stderr, "usage: pinocchio MODEL fixed|floating STATES TASK [FILE | SAMPLES]\n");
        return 2;
    }
    pin::Model model;
    model.loadFromText(argv[1]);
    model.armature.setZero();
    pin::Data data(model);
    const States states = read_states(model, argv[3]);
    std::string task = argv[4];
    const std::size_t stride = std::size_t(model.nv) * 10 * std::size_t(model.njoints - 1);
    const auto at = [&](std::size_t k) { return k % states.count; };

    const auto regressor = [&](pin::Data & own, std::size_t k) {
        pin::computeJointTorqueRegressor(model, own, states.q[at(k)], states.qd[at(k)], states.qdd[at(k)]);
    };
    const auto forces = [&](std::size_t k) {
        pin::rnea(model, data, states.q[at(k)], states.qd[at(k)], states.qdd[at(k)]);
    };
    // A caller who keeps the regressors of many samples copies each out of `data`.
    const auto copied = [&](pin::Data & own, std::size_t k, double * out) {
        regressor(own, k);
        std::memcpy(out + k * stride, own.jointTorqueRegressor.data(), stride * sizeof(double));
    };

    if (task.rfind("count-", 0) == 0) {
        const std::size_t count = std::size_t(std::atol(argv[5]));
        const bool is_regressor = task.find("inverse-dynamics") == std::string::npos;
        for (std::size_t k = 0; k < count; ++k) is_regressor ? regressor(data, k) : forces(k);
        return 0;
    }
    if (task == "write") {
        std::ofstream file(argv[5], std::ios::binary);
        using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        std::vector<VectorXd> tau;
        for (std::size_t k = 0; k < states.count; ++k) {
            regressor(data, k);
            const RowMajor rows = data.jointTorqueRegressor;
            file.write(reinterpret_cast<const char *>(rows.data()), std::streamsize(stride * sizeof(double)));
        }
        for (std::size_t k = 0; k < states.count; ++k) {
            forces(k);
            file.write(reinterpret_cast<const char *>(data.tau.data()), std::streamsize(data.tau.size() * sizeof(double)));
        }
    } else if (task == "batch" || task == "single") {
        report(states.count, [&] { for (std::size_t k = 0; k < states.count; ++k) regressor(data, k); });
    } else if (task == "batch-copied" || task == "dram") {
        const std::size_t count = (task == "dram" ? dram_bytes : cached_bytes) / (sizeof(double) * stride);
        std::vector<double> out(count * stride);
        report(count, [&] { for (std::size_t k = 0; k < count; ++k) copied(data, k, out.data()); });
    } else if (task == "two-threads" || task == "dram-two-threads") {
        const std::size_t bytes = task == "two-threads" ? 2 * cached_bytes : dram_bytes;
        const std::size_t count = bytes / (sizeof(double) * stride);
        std::vector<double> out(count * stride);
        std::vector<pin::Data> own(2, data);
        report(count, [&] {
            const auto half = [&](std::size_t t) {
                for (std::size_t k = t * count / 2; k < (t + 1) * count / 2; ++k) copied(own[t], k, out.data());
            };
            std::thread other(half, 1);
            half(0);
            other.join();
        });
    } else if (task == "inverse-dynamics" || task == "batch-inverse-dynamics") {
        report(states.count, [&] { for (std::size_t k = 0; k < states.count; ++k) forces(k); });
    } else if (task == "forward-dynamics") {
        // Any forces will do: those of the accelerations' numbers.
        report(states.count, [&] {
            for (std::size_t k = 0; k < states.count; ++k) pin::aba(model, data, states.q[k], states.qd[k], states.qdd[k]);
        });
    } else if (task == "mass-matrix") {
        report(states.count, [&] { for (std::size_t k = 0; k < states.count; ++k) pin::crba(model, data, states.q[k]); });
    } else {
        std::fprintf(stderr, "no task is called %s\n", task.c_str());
        return 2;
    }
}
