import arena.v1.Answer;
import arena.v1.BotMessage;
import arena.v1.Card;
import arena.v1.Decision;
import arena.v1.Join;
import arena.v1.MatchStarted;
import arena.v1.Observation;
import arena.v1.PlayRequest;
import arena.v1.PlayResponse;
import arena.v1.Ready;
import arena.v1.RefereeMessage;
import arena.v1.RefereeServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/**
 * Greedy, in Java: cash what nobody can beat; lead from length; give points to the partner's
 * trick; take points when it is sure; throw away what is worth nothing. No look-ahead.
 */
public final class Bot {
  private static final int ACE = 8; // a rank, weakest first from 1
  private static final int TWO = 9;
  private static final int POINT = 3; // thirds

  // Of two cards of one suit the greater number wins: see proto/arena/v1/cards.proto.

  private static int suit(int card) {
    return (card - 1) / 10;
  }

  private static int rank(int card) {
    return (card - 1) % 10 + 1;
  }

  private static int thirds(int card) {
    return rank(card) == ACE ? 3 : rank(card) >= 5 ? 1 : 0;
  }

  private static int yes(boolean is) {
    return is ? 1 : 0;
  }

  private static int[] numbers(List<Card> cards) {
    return cards.stream().mapToInt(Card::getNumber).toArray();
  }

  private static int[] only(int[] cards, IntPredicate is) {
    return IntStream.of(cards).filter(is).toArray();
  }

  private static boolean holds(int[] cards, int card) {
    return IntStream.of(cards).anyMatch(one -> one == card);
  }

  /** The card of greatest value, the first of equals: arrays, compared from the first number on. */
  private static int best(int[] cards, IntFunction<int[]> value) {
    return IntStream.of(cards)
        .reduce((a, b) -> Arrays.compare(value.apply(b), value.apply(a)) > 0 ? b : a)
        .orElseThrow();
  }

  private static int[] list(int... numbers) {
    return numbers;
  }

  /** What this seat sees at one decision. */
  private record Table(
      Observation seen, List<Integer> sides, int[] legal, int[] hand, int[] trick, int[] history) {

    static Table of(Decision asked, List<Integer> sides) {
      Observation seen = asked.getObservation();
      return new Table(
          seen,
          sides,
          numbers(asked.getCard().getLegalList()),
          numbers(seen.getHandList()),
          numbers(seen.getTrickList()),
          numbers(seen.getHistoryList()));
    }

    int choose() {
      if (trick.length == 0) {
        return lead();
      }
      int led = suit(trick[0]);
      int winning = best(only(trick, card -> suit(card) == led), card -> list(rank(card)));
      int place = IntStream.range(0, trick.length).filter(i -> trick[i] == winning).sum();
      int winner = (seen.getLeader() + place) % sides.size();
      boolean isLast = trick.length == sides.size() - 1;
      if (sides.get(winner).equals(sides.get(seen.getSeat())) && (isLast || isMaster(winning))) {
        return give();
      }
      int[] sure =
          only(legal, card -> suit(card) == led && card > winning && (isLast || isMaster(card)));
      if (sure.length > 0 && isWorthTaking(sure)) {
        return best(sure, card -> list(yes(rank(card) == ACE), -rank(card)));
      }
      return throwAway();
    }

    /** Cash a card that nobody can beat, or lead low from the longest suit, the partner's first. */
    int lead() {
      int[] masters = only(legal, this::isMaster);
      if (masters.length > 0) {
        return best(masters, card -> list(length(card), rank(card)));
      }
      return best(
          legal,
          card ->
              list(
                  -yes(guardsAce(card)),
                  -thirds(card),
                  yes(isPartners(suit(card))),
                  length(card),
                  -rank(card)));
    }

    /** Add points to the partner's trick: an ace, a face, or else what is worth nothing. */
    int give() {
      return best(
          legal,
          card ->
              list(
                  yes(rank(card) == ACE),
                  yes(thirds(card) == 1 && rank(card) < ACE),
                  -rank(card)));
    }

    /** Lose as little as can be: no points, no guard of an ace, from a short suit, low. */
    int throwAway() {
      return best(
          legal,
          card ->
              list(
                  -thirds(card),
                  -yes(rank(card) >= TWO),
                  -yes(guardsAce(card)),
                  -length(card),
                  -rank(card)));
    }

    boolean isWorthTaking(int[] sure) {
      int held = IntStream.of(trick).map(Bot::thirds).sum();
      boolean isLastTrick = hand.length == 1 && seen.getStockSize() == 0;
      return held >= POINT
          || isLastTrick
          || IntStream.of(sure).anyMatch(card -> rank(card) == ACE);
    }

    /** Whether nobody else can hold a higher card of the suit. */
    boolean isMaster(int card) {
      return IntStream.rangeClosed(card + 1, 10 * (suit(card) + 1))
          .allMatch(higher -> holds(hand, higher) || holds(history, higher) || holds(trick, higher));
    }

    /** Whether the partner led this suit and has always followed it. */
    boolean isPartners(int of) {
      int seats = sides.size();
      int own = seen.getSeat();
      boolean hasLed = false;
      for (int at = 0; at < history.length; at++) {
        int seat = (seen.getTrickLeaders(at / seats) + at) % seats;
        boolean isPartner = seat != own && sides.get(seat).equals(sides.get(own));
        if (isPartner && suit(history[at - at % seats]) == of) {
          if (suit(history[at]) != of) {
            return false;
          }
          hasLed |= at % seats == 0;
        }
      }
      return hasLed;
    }

    /** Whether an ace in the hand needs this card to outlast the 3 and the 2. */
    boolean guardsAce(int card) {
      int ace = 10 * suit(card) + ACE;
      return holds(hand, ace) && !isMaster(ace) && length(card) <= 3;
    }

    int length(int of) {
      return only(hand, card -> suit(card) == suit(of)).length;
    }
  }

  /** Answers each frame with a frame; what ended the stream ends {@code over}. */
  private static final class Session implements StreamObserver<PlayResponse> {
    final CompletableFuture<Status> over = new CompletableFuture<>();
    private final Map<Integer, List<Integer>> sides = new HashMap<>(); // by table
    private StreamObserver<PlayRequest> out;

    void open(ManagedChannel channel, String token) {
      out = RefereeServiceGrpc.newStub(channel).play(this);
      Join.Builder join =
          Join.newBuilder()
              .setProtocolVersion(1)
              .setToken(token)
              .setName("greedy-java")
              .setLanguage("java");
      out.onNext(
          PlayRequest.newBuilder().addMessages(BotMessage.newBuilder().setJoin(join)).build());
    }

    @Override
    public void onNext(PlayResponse frame) {
      PlayRequest.Builder answers = PlayRequest.newBuilder();
      boolean isOver = false;
      for (RefereeMessage message : frame.getMessagesList()) {
        switch (message.getMessageCase()) {
          case MATCH_STARTED -> {
            MatchStarted started = message.getMatchStarted();
            sides.put(started.getTable(), started.getSidesList());
            answers.addMessagesBuilder().setReady(Ready.newBuilder().setTable(started.getTable()));
          }
          case DECISION -> {
            Decision asked = message.getDecision();
            if (asked.hasCard()) {
              int card = Table.of(asked, sides.get(asked.getTable())).choose();
              answers
                  .addMessagesBuilder()
                  .setAnswer(
                      Answer.newBuilder()
                          .setDecisionId(asked.getDecisionId())
                          .setCardValue(card));
            }
          }
          case REJECTED -> System.err.println("rejected: " + message.getRejected().getMessage());
          case GOODBYE -> isOver = true;
          default -> {} // news that this bot has no use for
        }
      }
      if (answers.getMessagesCount() > 0) {
        out.onNext(answers.build());
      }
      if (isOver) {
        out.onCompleted();
      }
    }

    @Override
    public void onError(Throwable error) {
      over.complete(Status.fromThrowable(error));
    }

    @Override
    public void onCompleted() {
      over.complete(Status.OK);
    }
  }

  public static void main(String[] arguments) throws Exception {
    String address = System.getenv("ARENA_ADDRESS");
    String token = System.getenv("ARENA_TOKEN");
    if (address == null || token == null) {
      System.err.println(
          "ARENA_ADDRESS and ARENA_TOKEN are not set; to play a match: arena match FOLDER");
      System.exit(2);
    }
    // Netty warns that a Unix socket knows no TCP options: true, and of no matter.
    Logger netty = Logger.getLogger("io.grpc.netty");
    netty.setLevel(Level.SEVERE);
    ManagedChannel channel =
        Grpc.newChannelBuilder(address, InsecureChannelCredentials.create())
            .proxyDetector(target -> null)
            .directExecutor()
            .build();
    Session session = new Session();
    session.open(channel, token);
    Status status = session.over.get();
    channel.shutdownNow().awaitTermination(1, TimeUnit.SECONDS);
    if (!status.isOk()) {
      System.err.println(status.getDescription());
      System.exit(1);
    }
  }
}
