// Thrifty: wins a trick as cheaply as it can when it plays last, else plays its weakest card.
//
// Speaks lines: one JSON object a line on stdin, one a line on stdout. Every key stands in the
// order of proto/arena/v1/play.proto and without blanks, so that strstr finds all it needs.

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int strength(const char *card)  // a card is two letters: suit and rank
{
    return (int)(strchr("4567JHKA23", card[1]) - "4567JHKA23");
}

static int beats(const char *card, const char *best)  // best is of the suit led
{
    return card[0] == best[0] && strength(card) > strength(best);
}

// Point at what follows a key, or nowhere.
static const char *after(const char *line, const char *key)
{
    const char *found = line ? strstr(line, key) : NULL;
    return found ? found + strlen(key) : NULL;
}

// Point at the first card of a list; list is just behind its opening bracket.
static const char *first(const char *list)
{
    return list && *list == '"' ? list + 1 : NULL;
}

static const char *next(const char *card)  // D4","D7"]
{
    return card[3] == ',' ? card + 5 : NULL;
}

static const char *choose(const char *legal, const char *trick, int seats)
{
    const char *best = first(trick);
    int played = 0;
    for (const char *card = best; card; card = next(card), played++)
        if (beats(card, best))
            best = card;

    const char *weakest = NULL, *winner = NULL;
    for (const char *card = first(legal); card; card = next(card)) {
        if (!weakest || strength(card) < strength(weakest))
            weakest = card;
        if (best && beats(card, best) && (!winner || strength(card) < strength(winner)))
            winner = card;
    }
    return winner && played == seats - 1 ? winner : weakest;
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    int seats = 4;

    setvbuf(stdout, NULL, _IOLBF, 0);  // flush each line: a buffered answer is a late one
    while (getline(&line, &size, stdin) > 0) {
        const char *text;
        if ((text = after(line, "\"match_started\":{\"table\":"))) {
            int table = atoi(text);
            seats = atoi(after(text, "\"seats\":"));
            printf("{\"ready\":{\"table\":%d}}\n", table);
        } else if ((text = after(line, "\"decision\":{"))) {
            int decision = atoi(after(text, "\"decision_id\":"));
            const char *legal = after(text, "\"legal\":[");
            const char *card = choose(legal, after(legal, "\"trick\":["), seats);
            printf("{\"answer\":{\"decision_id\":%d,\"card\":\"%.2s\"}}\n", decision, card);
        }
    }
    free(line);
    return 0;
}
