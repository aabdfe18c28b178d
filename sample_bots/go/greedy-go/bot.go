// Greedy, in Go: cash what nobody can beat; lead from length; give points to the partner's
// trick; take points when it is sure; throw away what is worth nothing. No look-ahead.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	arena "greedy/build/arena/v1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// Of two cards of one suit the greater number wins: see proto/arena/v1/cards.proto.
type card = arena.Card

const (
	ace   = 8 // a rank, weakest first from 1
	two   = 9
	point = 3 // thirds
)

func suit(c card) int { return int(c-1) / 10 }
func rank(c card) int { return int(c-1)%10 + 1 }

func thirds(c card) int {
	switch r := rank(c); {
	case r == ace:
		return 3
	case r >= 5:
		return 1
	}
	return 0
}

func yes(is bool) int {
	if is {
		return 1
	}
	return 0
}

// best returns the card of greatest value: lists of numbers, compared from the first on.
func best(cards []card, value func(card) []int) card {
	return slices.MaxFunc(cards, func(a, b card) int { return slices.Compare(value(a), value(b)) })
}

func only(cards []card, is func(card) bool) []card {
	var found []card
	for _, c := range cards {
		if is(c) {
			found = append(found, c)
		}
	}
	return found
}

// table is what this seat sees at one decision.
type table struct {
	*arena.Observation
	sides []uint32
	legal []card
}

func (t table) choose() card {
	if len(t.Trick) == 0 {
		return t.lead()
	}
	led := suit(t.Trick[0])
	winning := best(only(t.Trick, func(c card) bool { return suit(c) == led }),
		func(c card) []int { return []int{rank(c)} })
	winner := (int(t.Leader) + slices.Index(t.Trick, winning)) % len(t.sides)
	isLast := len(t.Trick) == len(t.sides)-1
	if t.sides[winner] == t.sides[t.Seat] && (isLast || t.isMaster(winning)) {
		return t.give()
	}
	sure := only(t.legal, func(c card) bool {
		return suit(c) == led && c > winning && (isLast || t.isMaster(c))
	})
	if len(sure) > 0 && t.isWorthTaking(sure) {
		return best(sure, func(c card) []int { return []int{yes(rank(c) == ace), -rank(c)} })
	}
	return t.throw()
}

// lead cashes a card that nobody can beat, or leads low from the longest suit, the partner's first.
func (t table) lead() card {
	if masters := only(t.legal, t.isMaster); len(masters) > 0 {
		return best(masters, func(c card) []int { return []int{t.length(suit(c)), rank(c)} })
	}
	return best(t.legal, func(c card) []int {
		return []int{
			-yes(t.guardsAce(c)), -thirds(c), yes(t.isPartners(suit(c))), t.length(suit(c)), -rank(c),
		}
	})
}

// give adds points to the partner's trick: an ace, a face, or else what is worth nothing.
func (t table) give() card {
	return best(t.legal, func(c card) []int {
		isFace := thirds(c) == 1 && rank(c) < ace
		return []int{yes(rank(c) == ace), yes(isFace), -rank(c)}
	})
}

// throw loses as little as can be: no points, no guard of an ace, from a short suit, low.
func (t table) throw() card {
	return best(t.legal, func(c card) []int {
		return []int{
			-thirds(c), -yes(rank(c) >= two), -yes(t.guardsAce(c)), -t.length(suit(c)), -rank(c),
		}
	})
}

func (t table) isWorthTaking(sure []card) bool {
	held := 0
	for _, c := range t.Trick {
		held += thirds(c)
	}
	isLastTrick := len(t.Hand) == 1 && t.StockSize == 0
	return held >= point || isLastTrick ||
		slices.ContainsFunc(sure, func(c card) bool { return rank(c) == ace })
}

// isMaster tells whether nobody else can hold a higher card of the suit.
func (t table) isMaster(c card) bool {
	for higher := c + 1; higher <= card(10*(suit(c)+1)); higher++ {
		if !slices.Contains(t.Hand, higher) && !slices.Contains(t.History, higher) &&
			!slices.Contains(t.Trick, higher) {
			return false
		}
	}
	return true
}

// isPartners tells whether the partner led this suit and has always followed it.
func (t table) isPartners(of int) bool {
	seats, hasLed := len(t.sides), false
	for at, c := range t.History {
		seat := (int(t.TrickLeaders[at/seats]) + at) % seats
		isPartner := seat != int(t.Seat) && t.sides[seat] == t.sides[t.Seat]
		if !isPartner || suit(t.History[at-at%seats]) != of {
			continue
		}
		if suit(c) != of {
			return false
		}
		hasLed = hasLed || at%seats == 0
	}
	return hasLed
}

// guardsAce tells whether an ace in the hand needs this card to outlast the 3 and the 2.
func (t table) guardsAce(c card) bool {
	its := card(10*suit(c) + ace)
	return slices.Contains(t.Hand, its) && !t.isMaster(its) && t.length(suit(c)) <= 3
}

func (t table) length(of int) int {
	return len(only(t.Hand, func(c card) bool { return suit(c) == of }))
}

// play joins, and answers until the referee ends the stream.
func play(address, token string) error {
	connection, err := grpc.NewClient(address,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy())
	if err != nil {
		return err
	}
	defer connection.Close()
	stream, err := arena.NewRefereeServiceClient(connection).Play(context.Background())
	if err != nil {
		return err
	}
	join := &arena.Join{ProtocolVersion: 1, Token: token, Name: "greedy-go", Language: "go"}
	answers := []*arena.BotMessage{{Message: &arena.BotMessage_Join{Join: join}}}
	sides := map[uint32][]uint32{} // by table
	for {
		if len(answers) > 0 {
			if err := stream.Send(&arena.PlayRequest{Messages: answers}); err != nil && err != io.EOF {
				return err // what ended the stream is told by Recv
			}
		}
		frame, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		answers = nil
		for _, message := range frame.Messages {
			switch said := message.Message.(type) {
			case *arena.RefereeMessage_MatchStarted:
				started := said.MatchStarted
				sides[started.Table] = started.Sides
				ready := &arena.Ready{Table: started.Table}
				answers = append(answers, &arena.BotMessage{Message: &arena.BotMessage_Ready{Ready: ready}})
			case *arena.RefereeMessage_Decision:
				asked := said.Decision
				seen := table{asked.Observation, sides[asked.Table], asked.GetCard().GetLegal()}
				if len(seen.legal) == 0 {
					continue // a question that this bot does not know
				}
				answer := &arena.Answer{
					DecisionId: asked.DecisionId, Answer: &arena.Answer_Card{Card: seen.choose()},
				}
				answers = append(answers, &arena.BotMessage{Message: &arena.BotMessage_Answer{Answer: answer}})
			case *arena.RefereeMessage_Rejected:
				fmt.Fprintln(os.Stderr, "rejected:", said.Rejected.Message)
			case *arena.RefereeMessage_Goodbye:
				if err := stream.CloseSend(); err != nil {
					return err
				}
			}
		}
	}
}

func main() {
	address := os.Getenv("ARENA_ADDRESS")
	token := os.Getenv("ARENA_TOKEN")
	if address == "" || token == "" {
		fmt.Fprintln(os.Stderr, "ARENA_ADDRESS and ARENA_TOKEN are not set; to play a match: arena match FOLDER")
		os.Exit(2)
	}
	if err := play(address, token); err != nil {
		fmt.Fprintln(os.Stderr, status.Convert(err).Message())
		os.Exit(1)
	}
}
