// Careful: takes a trick that holds a point when it is cheap, gives points to its partner's,
// and throws away what is worth nothing. It counts no cards and remembers nothing.

import { type ClientDuplexStream, credentials, loadPackageDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { fileURLToPath } from "node:url";

// The parts of the messages that this bot looks at; proto/arena/v1 explains all of them.
interface MatchStarted { table: number; seat: number; sides: number[] }
interface Decision {
  table: number;
  decision_id: number;
  card?: { legal: string[] };
  observation: { leader: number; hand: string[]; trick: string[]; stock_size: number };
}
interface RefereeMessage {
  message: string; // which of the following is there
  match_started?: MatchStarted;
  decision?: Decision;
  rejected?: { message: string };
  goodbye?: object;
}
interface PlayResponse { messages: RefereeMessage[] }
interface PlayRequest { messages: object[] }
interface Arena {
  arena: { v1: { RefereeService: new (address: string, how: object, options: object) => {
    Play(): ClientDuplexStream<PlayRequest, PlayResponse>;
    close(): void;
  } } };
}

// A card comes as its name in the proto file, for instance CARD_D3: suit, then rank.
const RANKS = "4567JHKA23"; // weakest first
const suit = (card: string): string => card[5]!;
const strength = (card: string): number => RANKS.indexOf(card[6]!);
const thirds = (card: string): number => [0, 0, 0, 0, 1, 1, 1, 3, 1, 1][strength(card)]!;
const gift = (card: string): number => (strength(card) > 7 ? 0 : thirds(card)); // keeps 2 and 3
const POINT = 3;

/** Return the best of some cards: the one with the greatest score, the first of equals. */
function best(cards: string[], ...scores: ((card: string) => number)[]): string {
  const better = (a: string, b: string): boolean => {
    const score = scores.find((one) => one(a) !== one(b));
    return score !== undefined && score(b) > score(a);
  };
  return cards.reduce((a, b) => (better(a, b) ? b : a));
}

function choose(match: MatchStarted, { observation, card }: Decision): string {
  const { hand, trick, leader, stock_size } = observation;
  const legal = card!.legal;
  const length = (one: string): number => hand.filter((other) => suit(other) === suit(one)).length;
  const led = trick[0];
  if (led === undefined) {
    const threes = legal.filter((one) => one[6] === "3");
    if (threes.length > 0) return best(threes, length);
    return best(legal, (one) => -thirds(one), length, (one) => -strength(one));
  }
  const inSuit = (cards: string[]): string[] => cards.filter((one) => suit(one) === suit(led));
  const winning = best(inSuit(trick), strength);
  const winner = (leader + trick.indexOf(winning)) % match.sides.length;
  const isLast = trick.length === match.sides.length - 1;
  const isPartners = match.sides[winner] === match.sides[match.seat];
  if (isPartners && (isLast || winning[6] === "3")) {
    return best(legal, gift, (one) => -strength(one));
  }
  const winners = inSuit(legal).filter((one) => strength(one) > strength(winning));
  const sure = winners.filter((one) => isLast || one[6] === "3");
  const held = trick.reduce((sum, one) => sum + thirds(one), 0);
  const lastTrick = hand.length === 1 && stock_size === 0;
  const worth = sure.filter((one) => lastTrick || held + thirds(one) >= POINT);
  if (worth.length > 0) return best(worth, thirds, (one) => -strength(one));
  return best(legal, (one) => -thirds(one), (one) => -length(one), (one) => -strength(one));
}

function answer(match: MatchStarted, decision: Decision): object {
  return { answer: { decision_id: decision.decision_id, card: choose(match, decision) } };
}

function main(): void {
  const { ARENA_ADDRESS: address, ARENA_TOKEN: token } = process.env;
  if (!address || !token) {
    console.error("ARENA_ADDRESS and ARENA_TOKEN are not set; to play a match: arena match FOLDER");
    process.exit(2);
  }
  const root = fileURLToPath(new URL("proto", import.meta.url));
  const definition = loadSync("arena/v1/play.proto", {
    includeDirs: [root], keepCase: true, longs: String, enums: String, defaults: true, oneofs: true,
  });
  const { RefereeService } = (loadPackageDefinition(definition) as unknown as Arena).arena.v1;
  const client = new RefereeService(address, credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
  });
  const matches = new Map<number, MatchStarted>();
  const stream = client.Play();
  stream.on("error", (error) => { console.error(error.message); process.exit(1); });
  stream.on("end", () => { client.close(); });
  stream.on("data", (frame: PlayResponse) => {
    const messages: object[] = [];
    for (const { match_started, decision, rejected, goodbye } of frame.messages) {
      if (match_started) {
        matches.set(match_started.table, match_started);
        messages.push({ ready: { table: match_started.table } });
      } else if (decision?.card) {
        messages.push(answer(matches.get(decision.table)!, decision));
      } else if (rejected) {
        console.error("rejected:", rejected.message);
      } else if (goodbye) {
        stream.end();
      }
    }
    if (messages.length > 0) stream.write({ messages });
  });
  stream.write({ messages: [{ join: { protocol_version: 1, token, name: "careful" } }] });
}

main();
