/* A stand-in for an agent of another make: `--version` says which it is, anything else is its service. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **words) {
    if (count == 2 && strcmp(words[1], "--version") == 0) {
        puts("acmed " VERSION " (build 7)");
        return 0;
    }
#ifdef CRASHES
    return 1;
#else
    for (;;) pause();
#endif
}
