// Greedy, in TypeScript: cash what nobody can beat; lead from length; give points to the partner's
// trick; take points when it is sure; throw away what is worth nothing. No look-ahead.

import { type ClientDuplexStream, credentials, loadPackageDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { fileURLToPath } from "node:url";

// The parts of the messages that this bot looks at; proto/arena/v1 explains all of them.
interface MatchStarted { table: number; sides: number[] }
interface Observation {
  seat: number;
  leader: number;
  hand: Card[];
  trick: Card[];
  history: Card[];
  trick_leaders: number[];
  stock_size: number;
}
interface Decision {
  table: number;
  decision_id: number;
  card?: { legal: Card[] };
  observation: Observation;
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

// Of two cards of one suit the greater number wins: see proto/arena/v1/cards.proto.
type Card = number;

const ACE = 8; // a rank, weakest first from 1
const TWO = 9;
const POINT = 3; // thirds

const suit = (card: Card): number => Math.floor((card - 1) / 10);
const rank = (card: Card): number => ((card - 1) % 10) + 1;
const thirds = (card: Card): number => (rank(card) === ACE ? 3 : rank(card) >= 5 ? 1 : 0);

/** Return the card of greatest value, the first of equals: lists, compared from the first on. */
function best(cards: Card[], value: (card: Card) => number[]): Card {
  const isMore = (a: number[], b: number[]): boolean => {
    const at = a.findIndex((number, place) => number !== b[place]);
    return at >= 0 && a[at]! > b[at]!;
  };
  return cards.reduce((a, b) => (isMore(value(b), value(a)) ? b : a));
}

/** What this seat sees at one decision. */
class Table {
  readonly known: Set<Card>; // in the hand, on the table, or gone
  readonly partner: number; // a seat; -1 where there is none

  constructor(readonly seen: Observation, readonly legal: Card[], readonly sides: number[]) {
    this.known = new Set([...seen.hand, ...seen.trick, ...seen.history]);
    this.partner = sides.findIndex(
      (side, seat) => seat !== seen.seat && side === sides[seen.seat],
    );
  }

  choose(): Card {
    const { trick, leader } = this.seen;
    if (trick.length === 0) return this.lead();
    const led = suit(trick[0]!);
    const winning = Math.max(...trick.filter((card) => suit(card) === led));
    const winner = (leader + trick.indexOf(winning)) % this.sides.length;
    const isLast = trick.length === this.sides.length - 1;
    if (winner === this.partner && (isLast || this.isMaster(winning))) return this.give();
    const sure = this.legal.filter(
      (card) => suit(card) === led && card > winning && (isLast || this.isMaster(card)),
    );
    if (sure.length > 0 && this.isWorthTaking(sure)) {
      return best(sure, (card) => [Number(rank(card) === ACE), -rank(card)]);
    }
    return this.throwAway();
  }

  /** Cash a card that nobody can beat, or lead low from the longest suit, the partner's first. */
  lead(): Card {
    const masters = this.legal.filter((card) => this.isMaster(card));
    if (masters.length > 0) return best(masters, (card) => [this.length(card), rank(card)]);
    return best(this.legal, (card) => [
      -this.guardsAce(card), -thirds(card), this.isPartners(card), this.length(card), -rank(card),
    ]);
  }

  /** Add points to the partner's trick: an ace, a face, or else what is worth nothing. */
  give(): Card {
    const isFace = (card: Card): boolean => thirds(card) === 1 && rank(card) < ACE;
    return best(this.legal, (card) => [
      Number(rank(card) === ACE), Number(isFace(card)), -rank(card),
    ]);
  }

  /** Lose as little as can be: no points, no guard of an ace, from a short suit, low. */
  throwAway(): Card {
    return best(this.legal, (card) => [
      -thirds(card), -Number(rank(card) >= TWO), -this.guardsAce(card), -this.length(card),
      -rank(card),
    ]);
  }

  isWorthTaking(sure: Card[]): boolean {
    const { hand, trick, stock_size } = this.seen;
    const held = trick.reduce((sum, card) => sum + thirds(card), 0);
    const isLastTrick = hand.length === 1 && stock_size === 0;
    return held >= POINT || isLastTrick || sure.some((card) => rank(card) === ACE);
  }

  /** Tell whether nobody else can hold a higher card of the suit. */
  isMaster(card: Card): boolean {
    for (let higher = card + 1; suit(higher) === suit(card); higher++) {
      if (!this.known.has(higher)) return false;
    }
    return true;
  }

  /** Tell whether the partner led this card's suit and has always followed it. */
  isPartners(card: Card): number {
    const seats = this.sides.length;
    const tricks = this.seen.trick_leaders.map((leader, place) => ({
      leader, cards: this.seen.history.slice(place * seats, (place + 1) * seats),
    }));
    const inSuit = tricks.filter(({ cards }) => suit(cards[0]!) === suit(card));
    const followed = inSuit.every(({ leader, cards }) => {
      return suit(cards[(this.partner - leader + seats) % seats]!) === suit(card);
    });
    return Number(followed && inSuit.some(({ leader }) => leader === this.partner));
  }

  /** Tell whether an ace in the hand needs this card to outlast the 3 and the 2. */
  guardsAce(card: Card): number {
    const ace = 10 * suit(card) + ACE;
    return Number(this.seen.hand.includes(ace) && !this.isMaster(ace) && this.length(card) <= 3);
  }

  length(of: Card): number {
    return this.seen.hand.filter((card) => suit(card) === suit(of)).length;
  }
}

function answer(sides: number[], { decision_id, card, observation }: Decision): object {
  return { answer: { decision_id, card: new Table(observation, card!.legal, sides).choose() } };
}

function main(): void {
  const { ARENA_ADDRESS: address, ARENA_TOKEN: token } = process.env;
  if (!address || !token) {
    console.error("ARENA_ADDRESS and ARENA_TOKEN are not set; to play a match: arena match FOLDER");
    process.exit(2);
  }
  const root = fileURLToPath(new URL("proto", import.meta.url));
  const definition = loadSync("arena/v1/play.proto", {
    includeDirs: [root], keepCase: true, longs: String, defaults: true, oneofs: true,
  });
  const { RefereeService } = (loadPackageDefinition(definition) as unknown as Arena).arena.v1;
  const client = new RefereeService(address, credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
  });
  const sides = new Map<number, number[]>(); // by table
  const stream = client.Play();
  stream.on("error", (error) => { console.error(error.message); process.exit(1); });
  stream.on("end", () => { client.close(); });
  stream.on("data", (frame: PlayResponse) => {
    const messages: object[] = [];
    for (const { match_started, decision, rejected, goodbye } of frame.messages) {
      if (match_started) {
        sides.set(match_started.table, match_started.sides);
        messages.push({ ready: { table: match_started.table } });
      } else if (decision?.card) {
        messages.push(answer(sides.get(decision.table)!, decision));
      } else if (rejected) {
        console.error("rejected:", rejected.message);
      } else if (goodbye) {
        stream.end();
      }
    }
    if (messages.length > 0) stream.write({ messages });
  });
  stream.write({ messages: [{ join: { protocol_version: 1, token, name: "greedy-ts" } }] });
}

main();
