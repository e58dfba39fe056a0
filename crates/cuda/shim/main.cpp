// Runs one launch of a kernel on the host: reads words of 32 bits (`Shim::launch` in crates/cuda/tests/cuda/shim.rs writes them) from
// the standard input, and writes the slots.
#include "cuda.hpp"
#include "../kernels/all.cu"
#include <cstring>

static std::vector<u32> words(size_t count) {
    std::vector<u32> all(count);
    if (fread(all.data(), 4, count, stdin) != count) {
        fprintf(stderr, "the job ends too early\n");
        exit(1);
    }
    return all;
}

int main() {
    std::vector<u32> head = words(13);
    u32 n = head[0], width = head[1], count = head[2], blocks = head[3], threads = head[4], backwards = head[5];
    u32 steps = head[6], from = head[7], to = head[8], each = head[9];
    u32 constant_words = head[10], slot_words = head[11], place_words = head[12];
    std::vector<u32> modulus = words(4 * n + 5), program = words((size_t)steps * width * 4), constants = words(constant_words);
    std::vector<u32> slots = words(slot_words), places(place_words);
    if (width > 1 && place_words > sizeof shared / 4) {
        fprintf(stderr, "%u words do not fit the memory of a block\n", place_words);
        return 1;
    }
    const Record* records = (const Record*)program.data();
#define RUN(N)                                                                                                         \
    if (n == N) {                                                                                                      \
        Modulus<N> m;                                                                                                  \
        memcpy(&m, modulus.data(), sizeof m);                                                                          \
        launch(blocks, threads, backwards, [&] {                                                                       \
            if (width == 0) invert_##N(m, slots.data(), from, to, count, each);                                        \
            if (width == 1) single_##N(records, steps, constants.data(), m, places.data(), slots.data(), count);       \
            if (width > 1) group_##N(width, records, steps, constants.data(), m, slots.data(), count);                 \
        });                                                                                                            \
    }
    EACH_SIZE(RUN)
    fwrite(slots.data(), 4, slots.size(), stdout);
    return 0;
}
