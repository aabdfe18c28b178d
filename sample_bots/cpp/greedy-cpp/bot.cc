// Greedy, in C++: cash what nobody can beat; lead from length; give points to the partner's
// trick; take points when it is sure; throw away what is worth nothing. No look-ahead.

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "arena/v1/play.grpc.pb.h"

namespace v1 = arena::v1;

namespace {

// Of two cards of one suit the greater number wins: see proto/arena/v1/cards.proto.
using Card = int;
using Cards = std::vector<Card>;

constexpr int kAce = 8;  // a rank, weakest first from 1
constexpr int kTwo = 9;
constexpr int kPoint = 3;  // thirds

int Suit(Card card) { return (card - 1) / 10; }
int Rank(Card card) { return (card - 1) % 10 + 1; }
int Thirds(Card card) { return Rank(card) == kAce ? 3 : Rank(card) >= 5 ? 1 : 0; }
bool Holds(const Cards& cards, Card card) {
  return std::find(cards.begin(), cards.end(), card) != cards.end();
}

template <class Cards_>
Cards Copied(const Cards_& wire) {
  return Cards(wire.begin(), wire.end());
}

template <class Is>
Cards Only(const Cards& cards, Is is) {
  Cards found;
  std::copy_if(cards.begin(), cards.end(), std::back_inserter(found), is);
  return found;
}

// The card of greatest value: an array of numbers, compared from the first on.
template <class Value>
Card Best(const Cards& cards, Value value) {
  return *std::max_element(cards.begin(), cards.end(),
                           [&](Card a, Card b) { return value(a) < value(b); });
}

// What this seat sees at one decision.
class Table {
 public:
  Table(const v1::Decision& asked, const std::vector<int>& sides)
      : seen_(asked.observation()),
        sides_(sides),
        legal_(Copied(asked.card().legal())),
        hand_(Copied(seen_.hand())),
        trick_(Copied(seen_.trick())),
        history_(Copied(seen_.history())) {}

  Card Choose() const {
    if (trick_.empty()) return Lead();
    const int led = Suit(trick_[0]);
    const auto in_suit = [&](Card card) { return Suit(card) == led; };
    const Card winning = *std::max_element(
        trick_.begin(), trick_.end(),
        [&](Card a, Card b) { return (in_suit(a) ? a : 0) < (in_suit(b) ? b : 0); });
    const auto place = std::find(trick_.begin(), trick_.end(), winning) - trick_.begin();
    const auto winner = (seen_.leader() + place) % sides_.size();
    const bool is_last = trick_.size() == sides_.size() - 1;
    if (sides_[winner] == sides_[seen_.seat()] && (is_last || IsMaster(winning))) return Give();
    const Cards sure = Only(legal_, [&](Card card) {
      return in_suit(card) && card > winning && (is_last || IsMaster(card));
    });
    if (!sure.empty() && IsWorthTaking(sure)) {
      return Best(sure, [](Card card) { return std::array{+(Rank(card) == kAce), -Rank(card)}; });
    }
    return Throw();
  }

 private:
  // Cash a card that nobody can beat, or lead low from the longest suit, the partner's first.
  Card Lead() const {
    const Cards masters = Only(legal_, [&](Card card) { return IsMaster(card); });
    if (!masters.empty()) {
      return Best(masters, [&](Card card) { return std::array{Length(card), Rank(card)}; });
    }
    return Best(legal_, [&](Card card) {
      return std::array{-GuardsAce(card), -Thirds(card), IsPartners(Suit(card)), Length(card),
                        -Rank(card)};
    });
  }

  // Add points to the partner's trick: an ace, a face, or else what is worth nothing.
  Card Give() const {
    return Best(legal_, [](Card card) {
      const bool is_face = Thirds(card) == 1 && Rank(card) < kAce;
      return std::array{+(Rank(card) == kAce), +is_face, -Rank(card)};
    });
  }

  // Lose as little as can be: no points, no guard of an ace, from a short suit, low.
  Card Throw() const {
    return Best(legal_, [&](Card card) {
      return std::array{-Thirds(card), -(Rank(card) >= kTwo), -GuardsAce(card), -Length(card),
                        -Rank(card)};
    });
  }

  bool IsWorthTaking(const Cards& sure) const {
    int held = 0;
    for (const Card card : trick_) held += Thirds(card);
    const bool is_last_trick = hand_.size() == 1 && seen_.stock_size() == 0;
    return held >= kPoint || is_last_trick ||
           std::any_of(sure.begin(), sure.end(), [](Card card) { return Rank(card) == kAce; });
  }

  // Whether nobody else can hold a higher card of the suit.
  bool IsMaster(Card card) const {
    for (Card higher = card + 1; higher <= 10 * (Suit(card) + 1); ++higher) {
      if (!Holds(hand_, higher) && !Holds(history_, higher) && !Holds(trick_, higher)) return false;
    }
    return true;
  }

  // Whether the partner led this suit and has always followed it.
  int IsPartners(int of) const {
    const int seats = sides_.size(), own = seen_.seat();
    bool has_led = false;
    for (int at = 0; at < static_cast<int>(history_.size()); ++at) {
      const int seat = (seen_.trick_leaders(at / seats) + at) % seats;
      const bool is_partner = seat != own && sides_[seat] == sides_[own];
      if (!is_partner || Suit(history_[at - at % seats]) != of) continue;
      if (Suit(history_[at]) != of) return false;
      has_led |= at % seats == 0;
    }
    return has_led;
  }

  // Whether an ace in the hand needs this card to outlast the 3 and the 2.
  int GuardsAce(Card card) const {
    const Card ace = 10 * Suit(card) + kAce;
    return Holds(hand_, ace) && !IsMaster(ace) && Length(card) <= 3;
  }

  int Length(Card of) const {
    return std::count_if(hand_.begin(), hand_.end(),
                         [&](Card card) { return Suit(card) == Suit(of); });
  }

  const v1::Observation& seen_;
  const std::vector<int>& sides_;
  const Cards legal_, hand_, trick_, history_;
};

// Joins, and answers until the referee ends the stream.
int Play(const std::string& address, const std::string& token) {
  grpc::ChannelArguments options;
  options.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  const auto stub = v1::RefereeService::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), options));
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);

  v1::PlayRequest request;
  v1::Join& join = *request.add_messages()->mutable_join();
  join.set_protocol_version(1);
  join.set_token(token);
  join.set_name("greedy-cpp");
  join.set_language("cpp");

  std::map<int, std::vector<int>> sides;  // by table
  v1::PlayResponse frame;
  while (true) {
    // What ended the stream, should it have ended, is told by Finish.
    if (request.messages_size() > 0) stream->Write(request);
    request.Clear();
    if (!stream->Read(&frame)) break;
    for (const v1::RefereeMessage& message : frame.messages()) {
      if (message.has_match_started()) {
        const v1::MatchStarted& started = message.match_started();
        sides[started.table()] = Copied(started.sides());
        request.add_messages()->mutable_ready()->set_table(started.table());
      } else if (message.has_decision() && message.decision().has_card()) {
        const v1::Decision& asked = message.decision();
        v1::Answer& answer = *request.add_messages()->mutable_answer();
        answer.set_decision_id(asked.decision_id());
        answer.set_card(static_cast<v1::Card>(Table(asked, sides.at(asked.table())).Choose()));
      } else if (message.has_rejected()) {
        std::cerr << "rejected: " << message.rejected().message() << std::endl;
      } else if (message.has_goodbye()) {
        stream->WritesDone();
      }
    }
  }
  const grpc::Status status = stream->Finish();
  if (!status.ok()) std::cerr << status.error_message() << std::endl;
  return status.ok() ? 0 : 1;
}

}  // namespace

int main() {
  const char* address = std::getenv("ARENA_ADDRESS");
  const char* token = std::getenv("ARENA_TOKEN");
  if (address == nullptr || token == nullptr) {
    std::cerr << "ARENA_ADDRESS and ARENA_TOKEN are not set; to play a match: arena match FOLDER\n";
    return 2;
  }
  return Play(address, token);
}
