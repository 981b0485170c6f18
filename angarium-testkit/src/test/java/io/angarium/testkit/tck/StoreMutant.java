package io.angarium.testkit.tck;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.simulation.Mutant;
import io.angarium.simulation.Planted;
import io.angarium.store.Backlog;
import io.angarium.store.DeadEntry;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SentMessage;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.store.WorkHint;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.Membership;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.tck.StoreFixture.OpenTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Known ways to get a store wrong, and the test of the contract that must notice. */
enum StoreMutant {
  NONE(""),
  RANGE_DELETE("rowCommittedLateBetweenDeletedOnesSurvives") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return Mutant.RANGE_DELETE.plant(real, database);
    }
  },
  EXACT_DELETE_WITHOUT_ID("exactDeleteLeavesARowThatHoldsAnotherMessage") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return Mutant.DELETE_OF_ANOTHER_ERA_WITHOUT_ID.plant(real, database);
    }
  },
  EXACT_DELETE_FORGOTTEN("exactDeleteTakesARowThatHoldsTheMessage") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public Set<Position> deleteExact(Collection<SentMessage> messages) {
          return Set.of();
        }
      };
    }
  },
  ERA_ADOPTED_BY_ITSELF("nothingIsDeletedBeforeTheNewEraIsAdopted") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return Mutant.FAIL_OVER_UNNOTICED.plant(real, database);
    }
  },
  LATE_ROWS_FORGOTTEN("rowCommittedAfterTheSnapshotIsFoundBelowTheCursor") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return Mutant.CURSOR_AS_HIGH_WATER_MARK.plant(real, database);
    }
  },
  FENCE_REMOVED("parkAfterATakeoverIsRefusedAndWritesNothing") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return Mutant.FENCE_REMOVED.plant(real, database);
    }
  },
  SNAPSHOT_XMAX_AS_BARRIER("newestOpenTransactionHoldsTheMarkBack") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return Mutant.SNAPSHOT_XMAX_AS_BARRIER.plant(real, database);
    }
  },
  FOLLOWERS_NOT_PARKED("parkedRowsLeaveTheOutbox") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return Mutant.FOLLOWERS_NOT_PARKED.plant(real, database);
    }
  },
  BLOCKED_KEYS_FORGOTTEN("blockedKeysAreThoseWithAParkedMessage") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return Mutant.BLOCKED_KEYS_FORGOTTEN.plant(real, database);
    }
  },
  SETTLED_TOO_EARLY("markIsNotSettledWhileALowerRowIsUncommitted") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public boolean settled(SequenceMark mark) {
          return true;
        }
      };
    }
  },
  READ_WITHOUT_LIMIT("limitHoldsForEachSpanByItself") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
          return super.read(spans, ReadLimit.rows(Integer.MAX_VALUE));
        }
      };
    }
  },
  LATE_ROWS_CUT_IN_SILENCE("limitCutsLateRowsShortAndSaysSo") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public LateRows readLate(
            List<SequenceRange> spans,
            @Nullable Snapshot since,
            ReadLimit limit,
            Predicate<Position> known) {
          LateRows late = super.readLate(spans, since, limit, known);
          return new LateRows(late.rows(), late.snapshot(), List.of());
        }
      };
    }
  },
  READ_WITHOUT_LIMIT_IN_BYTES("readStaysWithinTheBytesOfItsLimit") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
          return super.read(spans, ReadLimit.rows(limit.rows()));
        }
      };
    }
  },
  POSITIONS_CUT_IN_SILENCE("rowsByTheirPositionsStayWithinTheBytesOfTheLimit") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public ReadRows readAt(Collection<Position> positions, ReadLimit limit) {
          return new ReadRows(super.readAt(positions, limit).rows(), Set.of());
        }
      };
    }
  },
  NEIGHBOURS_OF_POSITIONS_READ("rowsComeByTheirPositionsWithoutTheirNeighbours") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public ReadRows readAt(Collection<Position> positions, ReadLimit limit) {
          return super.read(
              positions.stream()
                  .map(at -> SequenceRange.after(at.partition(), 0))
                  .distinct()
                  .toList(),
              limit);
        }
      };
    }
  },
  ROWS_CUT_IN_SILENCE("spanCutByBytesIsNotExhausted") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
          ReadRows read = super.read(spans, limit);
          return new ReadRows(read.rows(), Set.of());
        }
      };
    }
  },
  NOTHING_FITS("rowLargerThanTheLimitComesAlone") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
          ReadRows read = super.read(spans, limit);
          long bytes = read.rows().stream().mapToLong(r -> r.message().payload().length).sum();
          return bytes > limit.bytes() ? new ReadRows(List.of(), read.more()) : read;
        }
      };
    }
  },
  LARGE_ROWS_SKIPPED("readGoesOnBehindWhatABytesLimitCut") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
          ReadRows all = super.read(spans, ReadLimit.rows(limit.rows()));
          List<StoredMessage> small =
              all.rows().stream().filter(r -> r.message().payload().length < 50_000).toList();
          ReadRows read = super.read(spans, limit);
          return read.more().isEmpty() || small.isEmpty() ? read : new ReadRows(small, read.more());
        }
      };
    }
  },
  LATE_ROWS_WITHOUT_LIMIT_IN_BYTES("lateRowsStayWithinTheBytesOfTheirLimit") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public LateRows readLate(
            List<SequenceRange> spans,
            @Nullable Snapshot since,
            ReadLimit limit,
            Predicate<Position> known) {
          return super.readLate(spans, since, ReadLimit.rows(limit.rows()), known);
        }
      };
    }
  },
  LATE_REST_FORGOTTEN("lookGoesOnWithTheRestOfItsSpans") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public LateRows readLate(
            List<SequenceRange> spans,
            @Nullable Snapshot since,
            ReadLimit limit,
            Predicate<Position> known) {
          LateRows late = super.readLate(spans, since, limit, known);
          return new LateRows(late.rows(), late.snapshot(), late.rest().stream().skip(1).toList());
        }
      };
    }
  },
  KNOWN_ROWS_COUNT("knownRowsAreLeftOutOfLateRows") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public LateRows readLate(
            List<SequenceRange> spans,
            @Nullable Snapshot since,
            ReadLimit limit,
            Predicate<Position> known) {
          return super.readLate(spans, since, limit, position -> false);
        }
      };
    }
  },
  PARKED_WITHOUT_LIMIT_IN_BYTES("parkedMessagesAreReadWithinTheBytesOfTheLimit") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public List<StoredMessage> parkedOfKey(int partition, long keyHash, ReadLimit limit) {
          return super.parkedOfKey(partition, keyHash, ReadLimit.rows(limit.rows()));
        }
      };
    }
  },
  DUE_HEADS_WITHOUT_LIMIT_IN_BYTES("dueHeadsAreReadWithinTheBytesOfTheLimit") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public ReadRows dueHeads(
            Collection<Integer> partitions, Collection<Destination> except, ReadLimit limit) {
          return super.dueHeads(partitions, except, ReadLimit.rows(limit.rows()));
        }
      };
    }
  },
  LAST_SEQUENCE_BEHIND("noCommittedRowIsAboveTheLastSequence") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public long lastSequence() {
          return Math.max(0, super.lastSequence() - 1);
        }
      };
    }
  },
  DUE_HEADS_OVERLOOKED("glanceShowsThatAHeadIsDue") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public WorkHint glance(Collection<Integer> partitions, Duration ahead) {
          return new WorkHint(super.glance(partitions, ahead).lastSequence(), false);
        }
      };
    }
  },
  REASON_LOST("messageIsBuriedFromTheOutbox") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public void bury(Lease lease, List<DeadEntry> burials) {
          super.bury(
              lease,
              burials.stream()
                  .map(
                      b ->
                          new DeadEntry(
                              b.position(),
                              b.keyHash(),
                              b.keyed(),
                              b.attempts(),
                              "",
                              b.blocksKey()))
                  .toList());
        }
      };
    }
  },
  BURIAL_NEVER_BLOCKS("blockingDeadLetterHoldsItsKeyBack") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public void bury(Lease lease, List<DeadEntry> burials) {
          super.bury(
              lease,
              burials.stream()
                  .map(
                      b ->
                          new DeadEntry(
                              b.position(),
                              b.keyHash(),
                              b.keyed(),
                              b.attempts(),
                              b.reason(),
                              false))
                  .toList());
        }
      };
    }
  },
  PARKED_LEASE_BY_LEASE("parkWithOneLostLeaseAmongOthersWritesNothing") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
          leases.forEach(lease -> super.park(List.of(lease), of(lease, parkings)));
        }
      };
    }
  },
  ONE_PARTITION_PARKED("rowsOfSeveralPartitionsAreParkedTogether") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
          super.park(leases, of(leases.iterator().next(), parkings));
        }
      };
    }
  },
  PAUSE_IGNORED("headIsDueAfterItsPauseOnly") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
          super.park(
              leases,
              parkings.stream()
                  .map(
                      p ->
                          new ParkedEntry(
                              p.position(),
                              p.keyHash(),
                              p.head(),
                              p.attempts(),
                              Duration.ZERO,
                              p.error()))
                  .toList());
        }
      };
    }
  },
  ENQUEUED_ELSEWHERE("enqueueTellsWhereTheMessagesAreNow") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public List<Position> enqueueDue(Collection<Lease> leases, int limit) {
          return super.enqueueDue(leases, limit).stream()
              .map(moved -> new Position(moved.partition(), moved.sequence() + 1))
              .toList();
        }
      };
    }
  },
  NEXT_DUE_UNTOLD("glanceShowsWhenTheNextDelayedMessageIsDue") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public WorkHint glance(Collection<Integer> partitions, Duration ahead) {
          WorkHint glance = super.glance(partitions, ahead);
          return new WorkHint(glance.lastSequence(), glance.due());
        }
      };
    }
  },
  ENQUEUE_WITHOUT_LIMIT("enqueueKeepsToItsLimit") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public List<Position> enqueueDue(Collection<Lease> leases, int limit) {
          return super.enqueueDue(leases, Integer.MAX_VALUE);
        }
      };
    }
  },
  DOWN_DESTINATIONS_DUE("headsOfOtherPartitionsAndExceptedDestinationsAreLeftOut") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public ReadRows dueHeads(
            Collection<Integer> partitions, Collection<Destination> except, ReadLimit limit) {
          return super.dueHeads(partitions, List.of(), limit);
        }
      };
    }
  },
  PARKED_IN_REVERSE("parkedOfKeyKeepsOrderAndLimit") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public List<StoredMessage> parkedOfKey(int partition, long keyHash, ReadLimit limit) {
          List<StoredMessage> rows = new ArrayList<>(super.parkedOfKey(partition, keyHash, limit));
          Collections.reverse(rows);
          return rows;
        }
      };
    }
  },
  ACKNOWLEDGED_STAY_PARKED("keyIsFreeWhenItsLastMessageIsAcknowledged") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public Set<Long> settleParked(List<ParkedOutcome> settlements) {
          return super.settleParked(
              settlements.stream()
                  .map(s -> new ParkedOutcome(s.lease(), s.keyHash(), List.of(), s.failed()))
                  .toList());
        }
      };
    }
  },
  KEY_SAID_TO_BE_FREE("failedMessageWaitsAgainWithItsNewAttempts") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public Set<Long> settleParked(List<ParkedOutcome> settlements) {
          super.settleParked(settlements);
          return Set.of();
        }
      };
    }
  },
  FREE_BEHIND_A_DEAD_LETTER("keyThatADeadLetterBlocksStaysBlockedWithoutParkedMessages") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public Set<Long> settleParked(List<ParkedOutcome> settlements) {
          Set<Long> parked = super.settleParked(settlements);
          for (ParkedOutcome each : settlements) {
            int partition = each.lease().partition();
            if (super.parkedOfKey(partition, each.keyHash(), ReadLimit.rows(1)).isEmpty()) {
              parked.remove(each.keyHash());
            }
          }
          return parked;
        }
      };
    }
  },
  FIRST_KEY_SETTLED_ONLY("keysOfSeveralPartitionsAreSettledTogether") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public Set<Long> settleParked(List<ParkedOutcome> settlements) {
          return super.settleParked(settlements.stream().limit(1).toList());
        }
      };
    }
  },
  SETTLED_BEFORE_THE_LOST_LEASE("settleWithOneLostLeaseAmongOthersWritesNothing") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public Set<Long> settleParked(List<ParkedOutcome> settlements) {
          Set<Long> stillParked = new HashSet<>();
          settlements.forEach(s -> stillParked.addAll(super.settleParked(List.of(s))));
          return stillParked;
        }
      };
    }
  },
  BACKLOG_NOT_COUNTED("countsAreExactWhileTheyAreSmall") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public Backlog backlog() {
          return new Backlog(0, 0, 0, Duration.ZERO);
        }
      };
    }
  },
  OVERDUE_NOT_COUNTED("delayedMessagesThatNobodyMovesAreOverdue") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public Backlog backlog() {
          Backlog found = super.backlog();
          return new Backlog(found.depth(), found.parked(), found.dead(), found.oldestAge());
        }
      };
    }
  },
  FOLLOWERS_COUNTED_AS_RETRYING("countsAreExactWhileTheyAreSmall") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public Backlog backlog() {
          Backlog found = super.backlog();
          return new Backlog(
              found.depth(),
              found.parked(),
              found.dead(),
              found.oldestAge(),
              found.overdue(),
              found.delayed(),
              found.parked() - found.delayed());
        }
      };
    }
  },
  STAYS_OPEN("closedStoreRefusesCallsAndMayBeClosedAgain") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public void close() { // stays open
        }
      };
    }
  },
  DELAY_IGNORED("delayedMessageIsNotReadBeforeItsTime") {
    @Override
    OpenTransaction transaction(OpenTransaction real) {
      return PlantedTransaction.changing(real, message -> message.notBefore(null));
    }
  },
  HEADERS_LOST("everyPartComesBack") {
    @Override
    OpenTransaction transaction(OpenTransaction real) {
      return PlantedTransaction.changing(real, message -> message.headers(Headers.EMPTY));
    }
  },
  SOURCE_UNKNOWN("storeSaysWhichOutboxItIs") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
      return new Planted(real) {
        @Override
        public @Nullable UUID source() {
          return null;
        }
      };
    }
  },
  SOURCE_NOT_HANDED_OVER("handOverNamesTheOutboxThatItWasWrittenTo") {
    @Override
    OpenTransaction transaction(OpenTransaction real) {
      return PlantedTransaction.ofNoSource(real);
    }
  },
  UNCOMMITTED_ROWS_READ("uncommittedRowsAreNotRead") {
    @Override
    OpenTransaction transaction(OpenTransaction real) {
      return PlantedTransaction.committing(real);
    }
  },
  PAIR_KEPT_AFTER_ROLLBACK("rollbackFreesThePair") {
    @Override
    OpenTransaction transaction(OpenTransaction real) {
      return PlantedTransaction.neverRolledBack(real);
    }
  },
  MARGIN_IGNORED("partitionsAreTakenOverOnceTheOwnerRanOutAndTheMarginPassed") {
    @Override
    LeaseStore leases(LeaseStore real) {
      return new PlantedLeases(real) {
        @Override
        public List<Lease> acquire(NodeId node, Collection<Integer> partitions, Duration margin) {
          return super.acquire(node, partitions, Duration.ZERO);
        }
      };
    }
  },
  REST_IGNORED("restingNodeTakesPartAgainWhenItSaysSo") {
    @Override
    LeaseStore leases(LeaseStore real) {
      return new PlantedLeases(real) {
        @Override
        public Membership heartbeat(NodeId node, boolean takingPart, Duration ttl) {
          return super.heartbeat(node, true, ttl);
        }
      };
    }
  },
  TRANSPORTS_NOTED_FOR_ONE_HEARTBEAT("transportsOfLiveNodesAreTold") {
    @Override
    LeaseStore leases(LeaseStore real) {
      return new PlantedLeases(real) {
        @Override
        public Membership heartbeat(NodeId node, boolean takingPart, Duration ttl) {
          Membership membership = super.heartbeat(node, takingPart, ttl);
          noteTransports(node, Set.of());
          return membership;
        }
      };
    }
  },
  TRANSPORTS_NOT_NOTED_AGAIN("transportsAreNotedAgainWithANodeThatIsAddedAnew") {
    @Override
    LeaseStore leases(LeaseStore real) {
      return new PlantedLeases(real) {
        @Override
        public void leave(NodeId node) {
          super.leave(node);
          noteTransports(node, Set.of());
        }
      };
    }
  },
  LEASE_HANDED_TO_NOBODY("leaseIsHandedToAnotherNode") {
    @Override
    LeaseStore leases(LeaseStore real) {
      return new PlantedLeases(real) {
        @Override
        public void handOver(Lease lease, NodeId to) {
          release(List.of(lease));
        }
      };
    }
  },
  LOST_LEASE_HANDED_OVER("handOverOfALostLeaseIsPassedOver") {
    @Override
    LeaseStore leases(LeaseStore real) {
      return new PlantedLeases(real) {
        @Override
        public void handOver(Lease lease, NodeId to) {
          Membership membership = heartbeat(to, true, Duration.ofMinutes(1));
          Membership.Owner owner = membership.owners().get(lease.partition());
          if (owner != null) {
            super.handOver(new Lease(lease.partition(), owner.node(), owner.epoch()), to);
          }
        }
      };
    }
  },
  DELAYED_DUE_BY_THE_HOSTS_CLOCK("nothingIsDueEarlyOrLateOnAHostWhoseClockIsHoursAhead") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database, TimeSource host) {
      return new Planted(real) {
        @Override
        public List<Position> enqueueDue(Collection<Lease> leases, int limit) {
          return at(host, database, () -> super.enqueueDue(leases, limit));
        }
      };
    }
  },
  PARKED_DUE_BY_THE_HOSTS_CLOCK("nothingIsDueEarlyOrLateOnAHostWhoseClockIsHoursBehind") {
    @Override
    OutboxStore outbox(OutboxStore real, InMemoryDatabase database, TimeSource host) {
      return new Planted(real) {
        @Override
        public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
          at(
              host,
              database,
              () -> {
                super.park(leases, parkings);
                return true;
              });
        }
      };
    }
  },
  LEASES_BY_THE_HOSTS_CLOCK("leasesLastAsLongOnHostsWhoseClocksAreHoursWrong") {
    @Override
    LeaseStore leases(LeaseStore real, InMemoryDatabase database, TimeSource host) {
      return new PlantedLeases(real) {
        @Override
        public Membership heartbeat(NodeId node, boolean takingPart, Duration ttl) {
          return at(host, database, () -> super.heartbeat(node, takingPart, ttl));
        }
      };
    }
  },
  LEASES_NOT_RELEASED("releasedPartitionsAreFree") {
    @Override
    LeaseStore leases(LeaseStore real) {
      return new PlantedLeases(real) {
        @Override
        public void release(Collection<Lease> held) { // keeps them
        }
      };
    }
  };

  private final String noticedBy;

  StoreMutant(String noticedBy) {
    this.noticedBy = noticedBy;
  }

  private static List<ParkedEntry> of(Lease lease, List<ParkedEntry> parkings) {
    return parkings.stream().filter(p -> p.position().partition() == lease.partition()).toList();
  }

  /** The test that must fail. */
  String noticedBy() {
    return noticedBy;
  }

  OutboxStore outbox(OutboxStore real, InMemoryDatabase database) {
    return real;
  }

  LeaseStore leases(LeaseStore real) {
    return real;
  }

  /** On a host with other clocks. */
  OutboxStore outbox(OutboxStore real, InMemoryDatabase database, TimeSource host) {
    return outbox(real, database);
  }

  /** On a host with other clocks. */
  LeaseStore leases(LeaseStore real, InMemoryDatabase database, TimeSource host) {
    return leases(real);
  }

  /** Does something as if the database's clock were the host's. */
  private static <T> T at(TimeSource host, InMemoryDatabase database, Supplier<T> work) {
    database.clockSkew(Duration.between(database.now(), host.instant()));
    try {
      return work.get();
    } finally {
      database.clockSkew(Duration.ZERO);
    }
  }

  OpenTransaction transaction(OpenTransaction real) {
    return real;
  }
}
