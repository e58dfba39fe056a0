// Compares a core with the simulator of the crate `processor`, which writes the script that this program reads:
//
//   w SPACE PLACE LIMB DATA     the host writes (core_limbs.sv; numbers in hexadecimal)
//   reset                       for one cycle
//   cut CYCLES                  a program begins, and a reset stops it after CYCLES cycles
//   run                         a program begins; the lines of its instructions follow:
//   e BEGIN CYCLES KIND PLACE LIMB...
//                               an instruction began in cycle BEGIN (the first one in cycle 0), took CYCLES cycles, and left these limbs
//                               in its register (r), in its place of the memory (m), or nowhere (n)
//   end TRAP CYCLES             the program ended, in a trap or not, after CYCLES cycles in all
//
// Reports every difference. The status is 1 if there is one.
#include "Vcore.h"
#include "Vcore___024root.h"
#include "coefficients.h"
#include "verilated.h"
#include <cstdint>
#include <deque>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Expected {
    uint64_t begin, cycles;
    char kind;
    uint32_t place;
    std::vector<uint64_t> limbs;
    size_t line;
};

struct Bench {
    VerilatedContext context;
    Vcore core{&context};
    uint64_t now = 0;
    int faults = 0;

    void eval() { core.eval(); }
    void tick() {
        core.clk = 1;
        eval();
        core.clk = 0;
        eval();
        now++;
    }
    void fault(size_t line, const std::string &what) {
        if (faults++ < 10) std::cerr << "line " << line << ": " << what << '\n';
    }
#ifdef POLYNOMIAL
    // ---- coefficients: compares the value, and checks that the coefficients are closed
    int64_t limb(char kind, uint32_t place, uint32_t j) {
        auto &root = *core.rootp;
#define COEFFICIENT(i) \
    case i: \
        return kind == 'm' ? root.core_polynomial__DOT__alu__DOT__g_coefficient__BRA__##i##__KET____DOT__data_memory__DOT__memory[place] \
                           : root.core_polynomial__DOT__alu__DOT__g_coefficient__BRA__##i##__KET____DOT__registers[place];
        switch (j) { COEFFICIENT(0) COEFFICIENT(1) COEFFICIENT(2) COEFFICIENT(3) COEFFICIENT(4) }
        return 0;
    }
    void compare(const Expected &expected) {
        if (expected.limbs.empty()) return;
        int64_t found[5], wanted[5];
        for (int i = 0; i < 5; i++) {
            found[i] = limb(expected.kind, expected.place, i);
            wanted[i] = static_cast<int64_t>(expected.limbs[i]);
        }
        std::ostringstream what;
        what << expected.kind << expected.place;
        if (!coefficients::equal(found, wanted)) fault(expected.line, what.str() + ": another residue");
        if (!coefficients::closed(found)) fault(expected.line, what.str() + ": not closed");
    }
#else
    uint32_t limb(char kind, uint32_t place, uint32_t j) {
        auto &root = *core.rootp;
        const uint32_t at = place * LIMBS + j;
        if (kind == 'm') return root.core_limbs__DOT__alu__DOT__data_memory__DOT__memory[at];
        const bool slot = root.core_limbs__DOT__alu__DOT__registers__DOT__decided[place];
        const uint32_t a = slot ? root.core_limbs__DOT__alu__DOT__registers__DOT__memory_a_1__DOT__memory[at]
                                : root.core_limbs__DOT__alu__DOT__registers__DOT__memory_a_0__DOT__memory[at];
        const uint32_t b = slot ? root.core_limbs__DOT__alu__DOT__registers__DOT__memory_b_1__DOT__memory[at]
                                : root.core_limbs__DOT__alu__DOT__registers__DOT__memory_b_0__DOT__memory[at];
        return a == b ? a : ~a;
    }
    void compare(const Expected &expected) {
        for (uint32_t j = 0; j < expected.limbs.size(); j++) {
            if (limb(expected.kind, expected.place, j) == expected.limbs[j]) continue;
            std::ostringstream what;
            what << expected.kind << expected.place << ", limb " << j << ": " << std::hex
                 << limb(expected.kind, expected.place, j) << " instead of " << expected.limbs[j];
            return fault(expected.line, what.str());
        }
    }
#endif
    void run(const std::vector<Expected> &program, bool trap, uint64_t total, size_t line) {
        core.start = 1;
        tick();
        core.start = 0;
        uint64_t begun = 0;
        size_t accepted = 0;
        std::deque<const Expected *> running;
        // the result of an instruction that has ended is there a cycle later
        const auto settle = [&](bool all) {
            for (auto it = running.begin(); it != running.end();) {
                const bool ended = all || now > begun + (*it)->begin + (*it)->cycles;
                if (ended) compare(**it);
                it = ended ? running.erase(it) : it + 1;
            }
        };
        for (uint64_t waited = 0; !core.done; waited++) {
            if (waited > total + 100) return fault(line, "the program has not ended");
            eval();
            settle(false);
            if (core.accept) {
                if (accepted == 0) begun = now;
                if (accepted < program.size()) {
                    const Expected &expected = program[accepted];
                    if (now - begun != expected.begin)
                        fault(expected.line, "begins in cycle " + std::to_string(now - begun) + " instead of " + std::to_string(expected.begin));
                    running.push_back(&expected);
                }
                accepted++;
            }
            tick();
        }
        settle(true);
        if (accepted != program.size()) fault(line, std::to_string(accepted) + " instructions instead of " + std::to_string(program.size()));
        if (now - begun != total) fault(line, std::to_string(now - begun) + " cycles in all instead of " + std::to_string(total));
        if (core.trap != trap) fault(line, trap ? "no trap" : "a trap");
        tick();
    }
};

}  // namespace

int main(int argc, char **argv) {
    std::ifstream script(argc > 1 ? argv[1] : "");
    if (!script) {
        std::cerr << "usage: bench SCRIPT\n";
        return 2;
    }
    Bench bench;
    auto &core = bench.core;
    core.clk = core.reset = core.start = core.host_write = 0;
    bench.eval();
    std::vector<Expected> program;
    std::string text;
    size_t programs = 0, instructions = 0;
    for (size_t line = 1; std::getline(script, text); line++) {
        std::istringstream words(text);
        std::string word;
        words >> word;
        if (word == "w") {
            uint32_t space, place, limb;
            uint64_t data;
            words >> std::hex >> space >> place >> limb >> data;
            core.host_write = 1;
            core.host_space = space;
            core.host_place = place;
            core.host_limb = limb;
            core.host_data = data;
            bench.tick();
            core.host_write = 0;
        } else if (word == "reset") {
            core.reset = 1;
            bench.tick();
            core.reset = 0;
        } else if (word == "cut") {
            uint64_t cycles;
            words >> cycles;
            core.start = 1;
            bench.tick();
            core.start = 0;
            while (cycles-- && !core.done) bench.tick();
            core.reset = 1;
            bench.tick();
            core.reset = 0;
            if (core.busy) bench.fault(line, "busy after a reset");
        } else if (word == "run") {
            program.clear();
        } else if (word == "e") {
            Expected expected{0, 0, 'n', 0, {}, line};
            words >> expected.begin >> expected.cycles >> expected.kind >> expected.place >> std::hex;
            for (uint64_t limb; words >> limb;) expected.limbs.push_back(limb);
            program.push_back(expected);
        } else if (word == "end") {
            int trap;
            uint64_t total;
            words >> trap >> total;
            bench.run(program, trap != 0, total, line);
            programs++;
            instructions += program.size();
        } else if (!word.empty()) {
            std::cerr << "line " << line << ": " << word << '\n';
            return 2;
        }
    }
    std::cout << programs << " programs, " << instructions << " instructions, " << bench.now << " cycles, " << bench.faults
              << " differences\n";
    return bench.faults != 0 || instructions == 0;
}
