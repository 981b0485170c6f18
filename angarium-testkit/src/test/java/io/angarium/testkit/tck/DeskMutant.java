package io.angarium.testkit.tck;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.MessageId;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditLog;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.Desk;
import io.angarium.desk.DestinationPage;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.DestinationView;
import io.angarium.desk.DueBucket;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.KeyView;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageActs.Correction;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.PauseDesk;
import io.angarium.desk.RelayView;
import io.angarium.desk.Scanned;
import io.angarium.desk.SearchBudget;
import io.angarium.desk.SearchDepth;
import io.angarium.desk.Stage;
import io.angarium.store.OutboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Known ways to get a desk wrong, and the test of the contract that must notice. */
enum DeskMutant {
  NONE("", (real, store) -> real),
  IGNORES_THE_FILTER(
      "everyPartOfAFilterNarrowsByItself",
      searching(
          (real, query) ->
              real.search(
                  new MessageQuery(
                      query.stage(),
                      MessageFilter.ALL,
                      query.permitted(),
                      query.order(),
                      query.cursor(),
                      query.limit(),
                      query.budget())))),
  IGNORES_THE_ORDER(
      "messagesOfAllPartitionsAreInOneOrder",
      searching((real, query) -> real.search(query.order(Order.NEWEST)))),
  SHOWS_WHAT_IS_NOT_PERMITTED(
      "messagesThatAreNotPermittedAreLeftOut",
      searching((real, query) -> real.search(query.permitted(row -> true)))),
  ASKS_PERMISSION_FIRST(
      "permissionIsAskedOnceForEachRowThatFits",
      searching(
          (real, query) -> {
            MessageQuery all = MessageQuery.newest(query.stage(), MessageFilter.ALL, 200);
            real.search(all.permitted(query.permitted()));
            return real.search(query);
          })),
  FORGETS_THE_CURSOR(
      "pagesGoThroughEveryStageInEitherOrder",
      searching(
          (real, query) -> {
            MessagePage page = real.search(query);
            return new MessagePage(page.rows(), null, page.scanned(), page.now());
          })),
  COUNTS_ROWS_INSTEAD_OF_A_CURSOR(
      "cursorNeitherSkipsNorRepeatsWhileRowsComeAndGo", searching(DeskMutant::byOffset)),
  TAKES_ANY_CURSOR(
      "cursorOfAnotherStageOrOrderIsRefused",
      searching(
          (real, query) -> {
            try {
              return real.search(query);
            } catch (IllegalArgumentException e) {
              return real.search(query.cursor(null));
            }
          })),
  HAS_NO_BUDGET(
      "budgetEndsASearchAndSaysHowFarItCame",
      searching((real, query) -> real.search(query.budget(SearchBudget.DEFAULT)))),
  CALLS_EVERY_SEARCH_COMPLETE(
      "budgetEndsASearchAndSaysHowFarItCame",
      searching(
          (real, query) -> {
            MessagePage page = real.search(query);
            Scanned scanned = new Scanned(page.scanned().rows(), page.scanned().until(), true);
            return new MessagePage(page.rows(), page.next(), scanned, page.now());
          })),
  FINDS_ONE_STAGE_ONLY(
      "messageIsInTheStageThatHasItOnly",
      browsing(
          real ->
              new PlantedDesk.Browser(real) {
                @Override
                public FoundMessage find(MessageId id, SearchDepth depth) {
                  FoundMessage found = super.find(id, depth);
                  return new FoundMessage(
                      id, found.places().stream().limit(1).toList(), found.complete(), found.now());
                }
              })),
  READS_EVERY_PAYLOAD_FROM_ITS_BEGIN(
      "payloadOfEveryStageIsReadInSlices",
      browsing(
          real ->
              new PlantedDesk.Browser(real) {
                @Override
                public Optional<byte[]> payload(MessageRow row, long from, int bytesMax) {
                  return super.payload(row, 0, bytesMax);
                }
              })),
  FOLLOWS_A_MESSAGE_THAT_HAS_MOVED(
      "messageThatHasMovedHasNoPayloadWhereItWas",
      browsing(
          real ->
              new PlantedDesk.Browser(real) {
                @Override
                public Optional<byte[]> payload(MessageRow row, long from, int bytesMax) {
                  return find(row.id(), SearchDepth.ALL).places().stream()
                      .findFirst()
                      .flatMap(place -> super.payload(place.row(), from, bytesMax));
                }
              })),
  SHOWS_A_KEY_WITHOUT_ITS_DEAD(
      "keyShowsTheDeadBlockerThenTheHeldThenTheWaiting",
      browsing(
          real ->
              new PlantedDesk.Browser(real) {
                @Override
                public KeyView key(Destination destination, String key) {
                  KeyView view = super.key(destination, key);
                  return new KeyView(
                      destination,
                      key,
                      view.partition(),
                      view.node(),
                      view.rows().stream().filter(row -> row.stage() != Stage.DEAD).toList(),
                      view.complete(),
                      view.lastSent(),
                      view.now());
                }
              })),
  CALLS_EVERY_DESTINATION_REACHABLE(
      "destinationIsUnreachableIfNoLiveNodeHasItsTransport",
      browsing(
          real ->
              new PlantedDesk.Browser(real) {
                @Override
                public DestinationPage destinations() {
                  DestinationPage page = super.destinations();
                  return new DestinationPage(
                      page.destinations().stream().map(DeskMutant::reachable).toList(),
                      page.complete(),
                      page.now());
                }
              })),
  LEAVES_EMPTY_SPANS_OUT(
      "calendarCountsEachSpanWithItsBeginAndWithoutItsEnd",
      browsing(
          real ->
              new PlantedDesk.Browser(real) {
                @Override
                public List<DueBucket> calendar(Instant from, Instant to, Duration step) {
                  return super.calendar(from, to, step).stream()
                      .filter(span -> !span.due().equals(BoundedCount.NONE))
                      .toList();
                }
              })),
  LEAVES_DEAD_NODES_OUT(
      "relayShowsLiveNodesFirstAndWhatTheyHold",
      browsing(
          real ->
              new PlantedDesk.Browser(real) {
                @Override
                public RelayView relay() {
                  RelayView view = super.relay();
                  return new RelayView(
                      view.nodes().stream().filter(n -> !n.leaseLeft().isNegative()).toList(),
                      view.partitions(),
                      view.now());
                }
              })),
  ACTS_WITHOUT_THE_AUDIT(
      "eachActLeavesOneEntryOfTheAuditForEachMessage",
      (real, store) ->
          new PlantedDesk(
              real.messages(),
              new PlantedDesk.Acts(real) {
                @Override
                public ActResult requeue(Collection<MessageId> dead, ActBy by) {
                  return requeuedByTheStore(store, dead, by);
                }
              },
              real.pauses(),
              real.audit())),
  NOTES_AN_ACT_AFTER_IT(
      "actAndItsEntriesCommitTogether",
      (real, store) ->
          new PlantedDesk(
              real.messages(),
              new PlantedDesk.Acts(real) {
                @Override
                public ActResult requeue(Collection<MessageId> dead, ActBy by) {
                  ActResult result = requeuedByTheStore(store, dead, by);
                  for (MessageId id : result.done()) {
                    real.audit()
                        .note(
                            AuditEntry.of(by, "requeue", AuditEntry.MESSAGE, id.toString(), null));
                  }
                  return result;
                }
              },
              real.pauses(),
              real.audit())),
  TAKES_ANY_NUMBER_OF_IDS(
      "noIdsAndTooManyAreRefused",
      acting(
          real ->
              new PlantedDesk.Acts(real) {
                @Override
                public ActResult cancel(Collection<MessageId> delayed, ActBy by) {
                  return super.cancel(delayed.stream().limit(IDS_MAX).toList(), by);
                }
              })),
  CALLS_WHAT_IS_NOT_THERE_DONE(
      "messagesOfOtherStagesAreNotFoundAndLeaveNoTrace",
      acting(
          real ->
              new PlantedDesk.Acts(real) {
                @Override
                public ActResult sendNow(Collection<MessageId> ids, ActBy by) {
                  super.sendNow(ids, by);
                  return new ActResult(List.copyOf(ids), List.of(), Map.of());
                }
              })),
  RESTORES_AND_REQUEUES(
      "restoredLetterTakesItsOldPlaceBeforeTheWaitingOnes",
      acting(
          real ->
              new PlantedDesk.Acts(real) {
                @Override
                public ActResult restore(Collection<MessageId> discarded, ActBy by) {
                  ActResult result = super.restore(discarded, by);
                  requeue(discarded, by);
                  return result;
                }
              })),
  SENDS_WHAT_WAS_CANCELLED(
      "cancelledMessageIsNeverSent",
      acting(
          real ->
              new PlantedDesk.Acts(real) {
                @Override
                public ActResult cancel(Collection<MessageId> delayed, ActBy by) {
                  ActResult result = super.cancel(delayed, by);
                  restore(delayed, by);
                  return result;
                }
              })),
  CALLS_WHAT_IS_REFUSED_NOT_FOUND(
      "messageOfADestinationThatIsNotPausedIsRefused",
      acting(
          real ->
              new PlantedDesk.Acts(real) {
                @Override
                public ActResult bury(Collection<MessageId> ids, ActBy by) {
                  ActResult result = super.bury(ids, by);
                  List<MessageId> left = new ArrayList<>(result.notFound());
                  left.addAll(result.refused().keySet());
                  return new ActResult(result.done(), left, Map.of());
                }
              })),
  SENDS_A_CORRECTED_LETTER_AS_IT_WAS(
      "redirectedLetterIsEnqueuedForItsNewDestination",
      correcting((real, ids, change) -> real.requeue(ids, DeskScene.ANN))),
  DROPS_HEADERS_THAT_ARE_NOT_GIVEN(
      "partsThatAreNotGivenStay",
      correcting(
          (real, ids, change) ->
              real.correct(
                  ids,
                  new Correction(
                      change.destination(), change.payload(), Headers.EMPTY, change.key()),
                  DeskScene.ANN))),
  KEEPS_THE_KEY_OF_A_CORRECTED_LETTER(
      "payloadHeadersAndKeyAreReplaced",
      correcting(
          (real, ids, change) ->
              real.correct(
                  ids,
                  new Correction(change.destination(), new byte[0], change.headers(), null),
                  DeskScene.ANN))),
  TAKES_A_KEY_OUT_OF_ITS_PLACE(
      "correctedBlockerThatKeepsItsKeyTakesItsPlaceBeforeTheWaitingOnes",
      correcting(
          (real, ids, change) -> {
            real.discard(ids, DeskScene.ANN);
            real.restore(ids, DeskScene.ANN);
            return real.correct(
                ids,
                new Correction(DeskScene.OTHER, change.payload(), change.headers(), change.key()),
                DeskScene.ANN);
          })),
  LEAVES_A_WRONG_CORRECTION_TO_THE_RELAY(
      "correctionIsCheckedAsAMessageIsWhenItIsSent",
      correcting(
          (real, ids, change) -> {
            try {
              return real.correct(ids, change, DeskScene.ANN);
            } catch (InvalidMessageException e) {
              return real.requeue(ids, DeskScene.ANN);
            }
          })),
  CALLS_A_PAUSE_APPLIED_AT_ONCE(
      "pauseCountsTheLiveNodesThatHaveAppliedIt",
      pausing(
          real ->
              new PlantedPauses(real) {
                @Override
                public List<DestinationPause> pauses() {
                  return super.pauses().stream().map(DeskMutant::applied).toList();
                }
              })),
  FORGETS_TO_END_A_PAUSE(
      "relayLearnsThatAPauseWasEndedByAPerson",
      pausing(
          real ->
              new PlantedPauses(real) {
                @Override
                public boolean resume(long pause, ActBy by) {
                  return pauses().stream().anyMatch(each -> each.id() == pause);
                }
              })),
  PAUSES_THE_SAME_TWICE(
      "laterPauseOfTheSameDestinationsReplacesTheFirst",
      pausing(
          real ->
              new PlantedPauses(real) {
                @Override
                public DestinationPause pause(String destinations, Duration length, ActBy by) {
                  boolean again =
                      pauses().stream().anyMatch(each -> each.destinations().equals(destinations));
                  return super.pause(again ? destinations + "*" : destinations, length, by);
                }
              })),
  SHOWS_THE_OLDEST_ENTRIES_FIRST(
      "pagesGoThroughAllEntriesNewestFirst",
      auditing(
          (real, query) -> {
            List<AuditEntry> page = new ArrayList<>(real.page(query));
            Collections.reverse(page);
            return page;
          })),
  BEGINS_EVERY_PAGE_OF_THE_AUDIT_ANEW(
      "pagesGoThroughAllEntriesNewestFirst",
      auditing(
          (real, query) ->
              real.page(
                  new AuditQuery(
                      query.by(),
                      query.act(),
                      query.targetKind(),
                      query.target(),
                      query.from(),
                      query.to(),
                      null,
                      query.limit()))));

  private final String noticedBy;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without a state of their own
  private final BiFunction<Desk, OutboxStore, Desk> plant;

  DeskMutant(String noticedBy, BiFunction<Desk, OutboxStore, Desk> plant) {
    this.noticedBy = noticedBy;
    this.plant = plant;
  }

  String noticedBy() {
    return noticedBy;
  }

  Desk plant(Desk real, OutboxStore store) {
    return plant.apply(real, store);
  }

  private static BiFunction<Desk, OutboxStore, Desk> browsing(
      Function<Desk, MessageBrowser> browser) {
    return (real, store) ->
        new PlantedDesk(browser.apply(real), real.acts(), real.pauses(), real.audit());
  }

  private static BiFunction<Desk, OutboxStore, Desk> searching(
      BiFunction<MessageBrowser, MessageQuery, MessagePage> search) {
    return browsing(
        real ->
            new PlantedDesk.Browser(real) {
              @Override
              public MessagePage search(MessageQuery query) {
                return search.apply(real.messages(), query);
              }
            });
  }

  private static BiFunction<Desk, OutboxStore, Desk> acting(Function<Desk, PlantedDesk.Acts> acts) {
    return (real, store) ->
        new PlantedDesk(real.messages(), acts.apply(real), real.pauses(), real.audit());
  }

  /** Corrects in another way. */
  @FunctionalInterface
  private interface Correcting {
    ActResult correct(MessageActs real, Collection<MessageId> ids, Correction change);
  }

  private static BiFunction<Desk, OutboxStore, Desk> correcting(Correcting other) {
    return acting(
        real ->
            new PlantedDesk.Acts(real) {
              @Override
              public ActResult correct(Collection<MessageId> dead, Correction change, ActBy by) {
                return other.correct(real.acts(), dead, change);
              }
            });
  }

  private static BiFunction<Desk, OutboxStore, Desk> pausing(
      Function<PauseDesk, PauseDesk> pauses) {
    return (real, store) ->
        new PlantedDesk(real.messages(), real.acts(), pauses.apply(real.pauses()), real.audit());
  }

  private static DestinationPause applied(DestinationPause pause) {
    return new DestinationPause(
        pause.id(),
        pause.destinations(),
        pause.since(),
        pause.until(),
        pause.by(),
        pause.reason(),
        pause.nodes(),
        pause.nodes());
  }

  private static BiFunction<Desk, OutboxStore, Desk> auditing(
      BiFunction<AuditLog, AuditQuery, List<AuditEntry>> page) {
    return (real, store) ->
        new PlantedDesk(
            real.messages(),
            real.acts(),
            real.pauses(),
            new AuditLog() {
              @Override
              public void note(AuditEntry entry) {
                real.audit().note(entry);
              }

              @Override
              public List<AuditEntry> page(AuditQuery query) {
                return page.apply(real.audit(), query);
              }
            });
  }

  /** A cursor that says how many rows were given. */
  private static MessagePage byOffset(MessageBrowser real, MessageQuery query) {
    String cursor = query.cursor();
    int given = cursor == null ? 0 : Integer.parseInt(cursor);
    MessageQuery all =
        new MessageQuery(
            query.stage(),
            query.filter(),
            query.permitted(),
            query.order(),
            null,
            MessageQuery.LIMIT_MAX,
            query.budget());
    MessagePage page = real.search(all);
    int end = Math.min(given + query.limit(), page.rows().size());
    return new MessagePage(
        page.rows().subList(Math.min(given, end), end),
        end < page.rows().size() ? String.valueOf(end) : null,
        page.scanned(),
        page.now());
  }

  private static ActResult requeuedByTheStore(
      OutboxStore store, Collection<MessageId> dead, ActBy by) {
    List<MessageId> done = List.copyOf(store.deadLetters().requeue(dead, by.decision()));
    List<MessageId> notFound = dead.stream().filter(id -> !done.contains(id)).distinct().toList();
    return new ActResult(done, notFound, Map.of());
  }

  private static DestinationView reachable(DestinationView view) {
    return new DestinationView(
        view.destination(),
        view.waiting(),
        view.delayed(),
        view.retrying(),
        view.held(),
        view.dead(),
        view.oldest(),
        true,
        view.error());
  }
}
