// Drives the stream of a processor of many cores. The tests of the crate `processor` write the script:
//
//   w SPACE PLACE LIMB DATA   the host writes (processor.sv; hexadecimal)
//   reset                     for one cycle; transfers that were sent and not answered are forgotten
//   in LAST WORD              a transfer to send
//   out LAST USER WORD        a transfer to expect; the word - matches any word
//   go GAP STALL CYCLES       sends and expects the announced transfers. In 256 cycles, the source pauses in GAP and the sink in STALL, on
//                             average. If CYCLES is not 0, stops after CYCLES cycles, wherever it is
//   beside SPACE PLACE LIMB DATA
//                             until the next w, the host writes this in a quarter of the cycles in which words are sent and expected
//   fill                      like `go 0 0 0`, but the sink waits until the queue is full
//
// Words of polynomials are compared as residues, five words at a time, which must be closed. The program also checks that no further words
// come, and that a result does not change while it waits.
#include "Vprocessor.h"
#include "coefficients.h"
#include "verilated.h"
#include <cstdint>
#include <deque>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

namespace {

struct Transfer {
    bool last, user, any;
    uint64_t word;
    size_t line;
};

struct Bench {
    VerilatedContext context;
    Vprocessor processor{&context};
    std::deque<Transfer> to_send, to_expect;
    uint64_t random = 88172645463325252u, now = 0, received = 0, full = 0;
    int faults = 0;
    uint32_t part = 0;  // which of the five words of a residue comes next
    uint32_t beside = 0;  // the number of cycles, of 256, in which the host writes

    bool chance(uint32_t of_256) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return ((random >> 20) & 255) < of_256;
    }
    void tick() {
        processor.clk = 1;
        processor.eval();
        processor.clk = 0;
        processor.eval();
        now++;
    }
    void fault(size_t line, const std::string &what) {
        if (faults++ < 10) std::cerr << "line " << line << ", cycle " << now << ": " << what << '\n';
    }
    void receive(size_t line) {
        if (to_expect.empty()) return fault(line, "a word that nobody expects");
        const Transfer expected = to_expect.front();
        to_expect.pop_front();
        received++;
        if (processor.m_axis_tlast != expected.last) fault(expected.line, "another end");
        if (processor.m_axis_tuser != expected.user) fault(expected.line, "another TUSER");
        if (!expected.any) compare(expected);
        part = expected.last ? 0 : (part + 1) % 5;
    }
#ifdef POLYNOMIAL
    int64_t found[5], wanted[5];
    void compare(const Transfer &expected) {
        found[part] = static_cast<int64_t>(processor.m_axis_tdata);
        wanted[part] = static_cast<int64_t>(expected.word);
        if (part < 4) return;
        if (!coefficients::equal(found, wanted)) fault(expected.line, "another residue");
        if (!coefficients::closed(found)) fault(expected.line, "not closed");
    }
#else
    void compare(const Transfer &expected) {
        if (processor.m_axis_tdata != expected.word) fault(expected.line, "another word");
    }
#endif
    void go(uint32_t gap, uint32_t stall, uint64_t cycles, bool fill, size_t line) {
        bool waits = false, offered = false;
        uint64_t data = 0, idle = 0;
        uint32_t blocked = fill ? 1 : 0;
        for (uint64_t spent = 0; cycles == 0 || spent < cycles; spent++) {
            if (to_send.empty() && to_expect.empty() && cycles == 0 && ++idle > 200) break;
            if (spent > 1000000) return fault(line, "it has not ended");
            if (faults > 10) return;
            offered = !to_send.empty() && (offered || !chance(gap));
            processor.s_axis_tvalid = offered;
            if (offered) {
                processor.s_axis_tdata = to_send.front().word;
                processor.s_axis_tlast = to_send.front().last;
            }
            processor.m_axis_tready = blocked == 0 && !chance(stall);
            processor.host_write = beside != 0 && chance(beside);
            processor.eval();
            if (waits && (!processor.m_axis_tvalid || processor.m_axis_tdata != data)) fault(line, "a result changed while it waited");
            waits = processor.m_axis_tvalid && !processor.m_axis_tready;
            data = processor.m_axis_tdata;
            if (processor.m_axis_tvalid && processor.m_axis_tready) receive(line);
            if (offered && !processor.s_axis_tready) {
                full++;
                // the queue is full, and every core waits for the sink
                if (blocked && ++blocked > 20000) blocked = 0;
            }
            if (offered && processor.s_axis_tready) {
                to_send.pop_front();
                offered = false;
            }
            if (blocked && to_send.empty()) {
                fault(line, "the queue was never full");
                blocked = 0;
            }
            tick();
        }
        processor.s_axis_tvalid = 0;
        processor.m_axis_tready = 0;
        processor.host_write = 0;
    }
};

}  // namespace

int main(int argc, char **argv) {
    std::ifstream script(argc > 1 ? argv[1] : "");
    if (!script) {
        std::cerr << "usage: processor SCRIPT\n";
        return 2;
    }
    Bench bench;
    auto &processor = bench.processor;
    processor.clk = processor.reset = processor.host_write = processor.s_axis_tvalid = processor.m_axis_tready = 0;
    processor.eval();
    std::string text;
    for (size_t line = 1; std::getline(script, text); line++) {
        std::istringstream words(text);
        std::string word;
        words >> word;
        if (word == "w" || word == "beside") {
            uint32_t space, place, limb;
            uint64_t data;
            words >> std::hex >> space >> place >> limb >> data;
            processor.host_space = space;
            processor.host_place = place;
            processor.host_limb = limb;
            processor.host_data = data;
            bench.beside = word == "beside" ? 64 : 0;
            if (bench.beside) continue;
            processor.host_write = 1;
            bench.tick();
            processor.host_write = 0;
        } else if (word == "reset") {
            processor.reset = 1;
            bench.tick();
            processor.reset = 0;
            bench.to_send.clear();
            bench.to_expect.clear();
            bench.part = 0;
        } else if (word == "in") {
            Transfer transfer{false, false, false, 0, line};
            words >> transfer.last >> std::hex >> transfer.word;
            bench.to_send.push_back(transfer);
        } else if (word == "out") {
            Transfer transfer{false, false, false, 0, line};
            std::string value;
            words >> transfer.last >> transfer.user >> value;
            transfer.any = value == "-";
            if (!transfer.any) transfer.word = std::stoull(value, nullptr, 16);
            bench.to_expect.push_back(transfer);
        } else if (word == "go") {
            uint32_t gap, stall;
            uint64_t cycles;
            words >> gap >> stall >> cycles;
            bench.go(gap, stall, cycles, false, line);
        } else if (word == "fill") {
            bench.go(0, 0, 0, true, line);
        } else if (!word.empty()) {
            std::cerr << "line " << line << ": " << word << '\n';
            return 2;
        }
    }
    std::cout << bench.received << " words received, " << bench.now << " cycles, " << bench.full << " of them with a full queue, "
              << bench.faults << " differences\n";
    return bench.faults != 0 || bench.received == 0 || bench.full == 0;
}
