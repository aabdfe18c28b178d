//! Greedy, in Rust: cash what nobody can beat; lead from length; give points to the partner's
//! trick; take points when it is sure; throw away what is worth nothing. No look-ahead.

use std::{cmp::Reverse, collections::HashMap, env, error::Error, process::ExitCode};

use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Endpoint;
use v1::{bot_message, decision::Question, referee_message::Message, BotMessage, PlayRequest};

/// The stubs that build.rs made.
mod v1 {
    tonic::include_proto!("arena.v1");
}

// Of two cards of one suit the greater number wins: see proto/arena/v1/cards.proto.
type Card = i32;

const ACE: i32 = 8; // a rank, weakest first from 1
const TWO: i32 = 9;
const POINT: i32 = 3; // thirds

fn suit(card: Card) -> i32 {
    (card - 1) / 10
}

fn rank(card: Card) -> i32 {
    (card - 1) % 10 + 1
}

fn thirds(card: Card) -> i32 {
    match rank(card) {
        ACE => 3,
        5.. => 1,
        _ => 0,
    }
}

/// The card of greatest value, the first of equals.
fn best<V: Ord>(cards: &[Card], value: impl Fn(Card) -> V) -> Card {
    *cards.iter().rev().max_by_key(|&&card| value(card)).expect("a card")
}

fn only(cards: &[Card], is: impl Fn(Card) -> bool) -> Vec<Card> {
    cards.iter().copied().filter(|&card| is(card)).collect()
}

/// What this seat sees at one decision.
struct Table<'a> {
    seen: &'a v1::Observation,
    sides: &'a [u32],
    legal: &'a [Card],
}

impl Table<'_> {
    fn choose(&self) -> Card {
        let trick = &self.seen.trick;
        let Some(&first) = trick.first() else {
            return self.lead();
        };
        let led = suit(first);
        let winning = best(&only(trick, |card| suit(card) == led), rank);
        let place = trick.iter().position(|&card| card == winning).expect("it lies there");
        let winner = (self.seen.leader as usize + place) % self.sides.len();
        let is_last = trick.len() == self.sides.len() - 1;
        let is_partners = self.sides[winner] == self.sides[self.seen.seat as usize];
        if is_partners && (is_last || self.is_master(winning)) {
            return self.give();
        }
        let sure = only(self.legal, |card| {
            suit(card) == led && card > winning && (is_last || self.is_master(card))
        });
        if !sure.is_empty() && self.is_worth_taking(&sure) {
            return best(&sure, |card| (rank(card) == ACE, Reverse(rank(card))));
        }
        self.throw()
    }

    /// Cash a card that nobody can beat, or lead low from the longest suit, the partner's first.
    fn lead(&self) -> Card {
        let masters = only(self.legal, |card| self.is_master(card));
        if !masters.is_empty() {
            return best(&masters, |card| (self.length(card), rank(card)));
        }
        best(self.legal, |card| {
            let gives = (!self.guards_ace(card), Reverse(thirds(card)));
            (gives, self.is_partners(suit(card)), self.length(card), Reverse(rank(card)))
        })
    }

    /// Add points to the partner's trick: an ace, a face, or else what is worth nothing.
    fn give(&self) -> Card {
        best(self.legal, |card| {
            let is_face = thirds(card) == 1 && rank(card) < ACE;
            (rank(card) == ACE, is_face, Reverse(rank(card)))
        })
    }

    /// Lose as little as can be: no points, no guard of an ace, from a short suit, low.
    fn throw(&self) -> Card {
        best(self.legal, |card| {
            let keeps = (rank(card) >= TWO, self.guards_ace(card));
            Reverse((thirds(card), keeps, self.length(card), rank(card)))
        })
    }

    fn is_worth_taking(&self, sure: &[Card]) -> bool {
        let held: i32 = self.seen.trick.iter().map(|&card| thirds(card)).sum();
        let is_last_trick = self.seen.hand.len() == 1 && self.seen.stock_size == 0;
        held >= POINT || is_last_trick || sure.iter().any(|&card| rank(card) == ACE)
    }

    /// Whether nobody else can hold a higher card of the suit.
    fn is_master(&self, card: Card) -> bool {
        let v1::Observation { hand, history, trick, .. } = self.seen;
        (card + 1..=10 * (suit(card) + 1))
            .all(|higher| [hand, history, trick].iter().any(|cards| cards.contains(&higher)))
    }

    /// Whether the partner led this suit and has always followed it.
    fn is_partners(&self, of: i32) -> bool {
        let v1::Observation { seat: own, history, trick_leaders, .. } = self.seen;
        let (own, seats) = (*own as usize, self.sides.len());
        let mut has_led = false;
        for (at, &card) in history.iter().enumerate() {
            let seat = (trick_leaders[at / seats] as usize + at) % seats;
            let is_partner = seat != own && self.sides[seat] == self.sides[own];
            if !is_partner || suit(history[at - at % seats]) != of {
                continue;
            }
            if suit(card) != of {
                return false;
            }
            has_led |= at % seats == 0;
        }
        has_led
    }

    /// Whether an ace in the hand needs this card to outlast the 3 and the 2.
    fn guards_ace(&self, card: Card) -> bool {
        let ace = 10 * suit(card) + ACE;
        self.seen.hand.contains(&ace) && !self.is_master(ace) && self.length(card) <= 3
    }

    fn length(&self, of: Card) -> usize {
        self.seen.hand.iter().filter(|&&card| suit(card) == suit(of)).count()
    }
}

fn say(message: bot_message::Message) -> BotMessage {
    BotMessage { message: Some(message) }
}

/// Answer a frame; None once the referee has said goodbye.
fn answer(frame: v1::PlayResponse, sides: &mut HashMap<u32, Vec<u32>>) -> Option<Vec<BotMessage>> {
    let mut answers = Vec::new();
    for message in frame.messages.into_iter().filter_map(|one| one.message) {
        match message {
            Message::MatchStarted(started) => {
                sides.insert(started.table, started.sides);
                let ready = v1::Ready { table: started.table };
                answers.push(say(bot_message::Message::Ready(ready)));
            }
            Message::Decision(asked) => {
                let Some(Question::Card(question)) = &asked.question else {
                    continue; // a question that this bot does not know
                };
                let table = Table {
                    seen: asked.observation.as_ref().expect("always there"),
                    sides: &sides[&asked.table],
                    legal: &question.legal,
                };
                answers.push(say(bot_message::Message::Answer(v1::Answer {
                    decision_id: asked.decision_id,
                    answer: Some(v1::answer::Answer::Card(table.choose())),
                    ..Default::default()
                })));
            }
            Message::Rejected(rejected) => eprintln!("rejected: {}", rejected.message),
            Message::Goodbye(_) => return None,
            _ => {} // news that this bot has no use for
        }
    }
    Some(answers)
}

/// Join, and answer until the referee ends the stream.
async fn play(address: &str, token: String) -> Result<(), Box<dyn Error>> {
    let target = match address.strip_prefix("unix:") {
        Some(_) => address.to_owned(),
        None => format!("http://{address}"),
    };
    let channel = Endpoint::from_shared(target)?.connect().await?;
    let mut client = v1::referee_service_client::RefereeServiceClient::new(channel);
    let (out, frames) = tokio::sync::mpsc::channel(8);
    let join = v1::Join {
        protocol_version: 1,
        token,
        name: "greedy-rust".into(),
        language: "rust".into(),
        ..Default::default()
    };
    out.send(PlayRequest { messages: vec![say(bot_message::Message::Join(join))] }).await?;
    let mut stream = client.play(ReceiverStream::new(frames)).await?.into_inner();
    let mut sides = HashMap::new(); // by table
    while let Some(frame) = stream.message().await? {
        match answer(frame, &mut sides) {
            None => break,
            Some(messages) if messages.is_empty() => {}
            Some(messages) => out.send(PlayRequest { messages }).await?,
        }
    }
    drop(out); // ends our half of the stream
    while stream.message().await?.is_some() {}
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let (Ok(address), Ok(token)) = (env::var("ARENA_ADDRESS"), env::var("ARENA_TOKEN")) else {
        eprintln!("ARENA_ADDRESS and ARENA_TOKEN are not set; to play a match: arena match FOLDER");
        return ExitCode::from(2);
    };
    match play(&address, token).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
