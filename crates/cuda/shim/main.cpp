// Runs an encoded program on the host: reads words of 32 bits (`Job` in crates/cuda/tests/cuda/shim.rs says which) from the standard
// input, launches the kernels stage by stage, and writes the slots of the batch.
#include "cuda.hpp"
#include "../kernels/group.cu"
#include "../kernels/invert.cu"
#include "../kernels/single.cu"
#include <cstring>

static std::vector<u32> words(size_t count) {
    std::vector<u32> all(count);
    if (fread(all.data(), 4, count, stdin) != count) {
        fprintf(stderr, "the job ends too early\n");
        exit(1);
    }
    return all;
}

#define EACH_SIZE(do) do(8) do(12) do(16) do(24) do(33) do(66)

int main() {
    std::vector<u32> head = words(9);
    u32 n = head[0], width = head[1], count = head[2], slot_words = head[3], place_words = head[4];
    u32 groups = head[5], each = head[6], constant_words = head[7], stages = head[8] >> 1;
    bool backwards = head[8] & 1;
    std::vector<u32> modulus = words(4 * n + 5), constants = words(constant_words);
    std::vector<u32> slots = words((size_t)slot_words * count), places((size_t)place_words * count);
    if ((size_t)place_words * groups > sizeof shared / 4) {
        fprintf(stderr, "%u words do not fit the memory of a block\n", place_words * groups);
        return 1;
    }
    for (u32 stage = 0; stage < stages; stage++) {
        u32 steps = words(1)[0];
        std::vector<u32> program = words((size_t)steps * width * 4);
        const Record* records = (const Record*)program.data();
        u32 blocks = (count + groups - 1) / groups;
#define STAGE(N)                                                                                                       \
    if (n == N) {                                                                                                      \
        Modulus<N> m;                                                                                                  \
        memcpy(&m, modulus.data(), sizeof m);                                                                          \
        launch(blocks, groups * width, backwards, [&] {                                                                \
            if (width == 1) single_##N(records, steps, constants.data(), m, places.data(), slots.data(), count);       \
            if (width == 4) group_##N##_4(records, steps, constants.data(), m, slots.data(), count);                   \
            if (width == 8) group_##N##_8(records, steps, constants.data(), m, slots.data(), count);                   \
        });                                                                                                            \
    }
        EACH_SIZE(STAGE)
        u32 inversions = words(1)[0];
        for (u32 i = 0; i < inversions; i++) {
            std::vector<u32> ends = words(2);
            u32 threads = (count + each - 1) / each;
#define INVERSION(N)                                                                                                   \
    if (n == N) {                                                                                                      \
        Modulus<N> m;                                                                                                  \
        memcpy(&m, modulus.data(), sizeof m);                                                                          \
        launch(1, threads, backwards, [&] { invert_##N(m, slots.data(), ends[0], ends[1], count, each); });            \
    }
            EACH_SIZE(INVERSION)
        }
    }
    fwrite(slots.data(), 4, slots.size(), stdout);
    return 0;
}
