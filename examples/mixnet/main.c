/* mixnet GROUP [--nodes N] [--messages N] [--rounds N] [--limit SECONDS]: runs rounds of cMix and prints their times.
 *
 * The output is JSON: for each round and phase, the milliseconds of processor time of each node. `mixnet --list` lists
 * the groups. The status is 1 if messages came out wrong, and 2 if a node was found to be at fault.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "frame.h"
#include "round.h"

enum { MOST_MESSAGES = 100000 };

/* Reads a whole number in a range. */
static size_t number(const char *option, const char *text, size_t least, size_t most) {
    char *end;
    unsigned long value = text ? strtoul(text, &end, 10) : 0;
    if (!text || *text < '0' || *text > '9' || *end || value < least || value > most) {
        die("%s takes a number from %zu to %zu", option, least, most);
    }
    return value;
}

static void print_round(const round_plan *plan, const outcome *found) {
    printf("{\"wrong\": %zu", found->wrong);
    for (int p = 0; p < PHASES; p++) {
        printf(", \"%s\": [", phase_names[p]);
        for (int i = 0; i < plan->nodes; i++) {
            printf("%s%.6f", i ? ", " : "", (double)found->nodes[i].phase[p] / 1e6);
        }
        putchar(']');
    }
    putchar('}');
}

int main(int count, char **arguments) {
    round_plan plan = {.nodes = 3, .messages = 1000};
    size_t rounds = 1, wrong = 0;
    if (count == 2 && strcmp(arguments[1], "--list") == 0) {
        print_groups();
        return 0;
    }
    const choice *chosen = count > 1 ? find_group(arguments[1]) : NULL;
    if (!chosen) {
        die("name a group; --list lists them");
    }
    for (int i = 2; i < count; i += 2) {
        const char *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (strcmp(arguments[i], "--nodes") == 0) {
            plan.nodes = (int)number("--nodes", value, 2, MOST_NODES);
        } else if (strcmp(arguments[i], "--messages") == 0) {
            plan.messages = number("--messages", value, 1, MOST_MESSAGES);
        } else if (strcmp(arguments[i], "--rounds") == 0) {
            rounds = number("--rounds", value, 1, 1000);
        } else if (strcmp(arguments[i], "--limit") == 0) {
            frame_limit = (unsigned)number("--limit", value, 1, 100000);
        } else {
            die("no option %s", arguments[i]);
        }
    }
    signal(SIGPIPE, SIG_IGN);
    plan.group = chosen->group;
    chosen->choose();
    plan.group->start();
    printf("{\"group\": \"%s\", \"nodes\": %d, \"messages\": %zu, \"payload\": %zu, \"rounds\": [", chosen->name,
           plan.nodes, plan.messages, plan.group->payload);
    for (size_t i = 0; i < rounds; i++) {
        outcome found;
        run_round(&plan, chosen->correspondents, &found);
        fputs(i ? ", " : "", stdout);
        print_round(&plan, &found);
        wrong += found.wrong;
    }
    puts("]}");
    return wrong ? 1 : 0;
}
