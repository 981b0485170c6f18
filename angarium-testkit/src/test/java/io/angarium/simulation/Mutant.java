package io.angarium.simulation;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.pause.PauseStore;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SentMessage;
import io.angarium.store.SequenceMark;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.memory.InMemoryDatabase;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Known ways to get an outbox wrong, which the simulation must notice. */
public enum Mutant {
  /** None: the system as it is. */
  NONE {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return store;
    }
  },
  /** Writes of an owner that lost its lease go through. */
  FENCE_REMOVED {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Fenceless(store, database);
    }
  },
  /** Rows committed below the cursor are never looked for. */
  CURSOR_AS_HIGH_WATER_MARK {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        @Override
        public LateRows readLate(
            List<SequenceRange> spans,
            @Nullable Snapshot since,
            ReadLimit limit,
            Predicate<Position> known) {
          return new LateRows(
              List.of(), super.readLate(List.of(), null, limit, known).snapshot(), List.of());
        }
      };
    }
  },
  /** Late rows are looked for below rows that were read, not wherever was read. */
  LATE_ROWS_ONLY_BELOW_OTHERS {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        private final Map<Integer, Long> highest = new HashMap<>();

        @Override
        public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
          ReadRows read = super.read(spans, limit);
          for (StoredMessage row : read.rows()) {
            highest.merge(row.position().partition(), row.position().sequence(), Math::max);
          }
          return read;
        }

        @Override
        public LateRows readLate(
            List<SequenceRange> spans,
            @Nullable Snapshot since,
            ReadLimit limit,
            Predicate<Position> known) {
          return super.readLate(spans.stream().map(this::clipped).toList(), since, limit, known);
        }

        private SequenceRange clipped(SequenceRange span) {
          long upTo = Math.min(span.upTo(), highest.getOrDefault(span.partition(), 0L));
          return new SequenceRange(span.partition(), span.after(), upTo);
        }
      };
    }
  },
  /** A read that limits cut in several partitions names one of them. */
  CUT_SPAN_CALLED_EXHAUSTED {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        @Override
        public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
          ReadRows read = super.read(spans, limit);
          int one = read.more().stream().findAny().orElse(0);
          return new ReadRows(read.rows(), read.more().isEmpty() ? Set.of() : Set.of(one));
        }
      };
    }
  },
  /** Acknowledged rows are deleted from the lowest to the highest. */
  RANGE_DELETE {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        @Override
        public void delete(Collection<Position> positions) {
          Map<Integer, LongSummaryStatistics> ranges =
              positions.stream()
                  .collect(
                      Collectors.groupingBy(
                          Position::partition,
                          TreeMap::new,
                          Collectors.summarizingLong(Position::sequence)));
          ranges.forEach(
              (partition, range) ->
                  super.delete(
                      database.unsent().stream()
                          .map(StoredMessage::position)
                          .filter(position -> position.partition() == partition)
                          .filter(position -> position.sequence() >= range.getMin())
                          .filter(position -> position.sequence() <= range.getMax())
                          .toList()));
        }
      };
    }
  },
  /** The end of the latest ended transaction is taken for the end of all begun so far. */
  SNAPSHOT_XMAX_AS_BARRIER {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        @Override
        public SequenceMark mark() {
          return new SequenceMark(super.lastSequence(), Long.toString(database.snapshotXmax() - 1));
        }
      };
    }
  },
  /** The messages behind a failed one stay in the outbox. */
  FOLLOWERS_NOT_PARKED {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        @Override
        public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
          super.park(leases, parkings.stream().filter(ParkedEntry::head).toList());
        }
      };
    }
  },
  /** A node hands over what it has read, whoever owns the partition meanwhile. */
  TAKEN_UNNOTICED {
    @Override
    Rates rates() {
      return Rates.LATE_OWNERS;
    }

    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        @Override
        public Set<Integer> held(Collection<Lease> leases) {
          return leases.stream().map(Lease::partition).collect(Collectors.toSet());
        }
      };
    }
  },
  /** A node goes on at another server as if it were the one before. */
  FAIL_OVER_UNNOTICED {
    @Override
    Rates rates() {
      return Rates.FAIL_OVERS;
    }

    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(
          store,
          new Hooks() {
            @Override
            public <T> T around(String call, Supplier<T> work) {
              try {
                return work.get();
              } catch (StoreException e) {
                store.adopt(store.era());
                return work.get();
              }
            }
          }) {
        @Override
        public int era() {
          return 0;
        }
      };
    }
  },
  /** Rows are read up to the sequence only. */
  SEQUENCE_BEHIND_ROWS {
    @Override
    Rates rates() {
      return Rates.COPIES;
    }

    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        @Override
        public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
          long last = super.lastSequence();
          List<SequenceRange> known =
              spans.stream()
                  .map(s -> new SequenceRange(s.partition(), s.after(), Math.min(s.upTo(), last)))
                  .toList();
          return super.read(known, limit);
        }
      };
    }
  },
  /** What was acknowledged is deleted at another server wherever the one before had it. */
  DELETE_OF_ANOTHER_ERA_WITHOUT_ID {
    @Override
    Rates rates() {
      return Rates.FAIL_OVERS;
    }

    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        @Override
        public Set<Position> deleteExact(Collection<SentMessage> messages) {
          super.delete(messages.stream().map(SentMessage::position).toList());
          return Set.of();
        }
      };
    }
  },
  /** A node trusts its own clock until its leases end, and the clock stands still in pauses. */
  LEASE_CLOCK_IGNORES_PAUSES {
    @Override
    Rates rates() {
      return Rates.LATE_OWNERS;
    }

    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return store;
    }

    @Override
    OutboxStore plant(OutboxStore store, InMemoryDatabase database, TimeSource ofNode) {
      return new Planted(store) {
        private final Map<Lease, Long> askedNanos = new HashMap<>();

        @Override
        public Set<Integer> held(Collection<Lease> leases) {
          long now = ofNode.nanoTime();
          List<Lease> ended =
              leases.stream()
                  .filter(
                      lease ->
                          now - askedNanos.getOrDefault(lease, now - SimulatedNode.TTL.toNanos())
                              >= SimulatedNode.TTL.toNanos())
                  .toList();
          Set<Integer> held = super.held(ended);
          ended.stream()
              .filter(lease -> held.contains(lease.partition()))
              .forEach(lease -> askedNanos.put(lease, now));
          return leases.stream()
              .filter(lease -> !ended.contains(lease) || held.contains(lease.partition()))
              .map(Lease::partition)
              .collect(Collectors.toSet());
        }
      };
    }
  },
  /** Which keys wait for a retry is asked once for each partition. */
  BLOCKED_KEYS_NEVER_REFRESHED {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        private final Map<Integer, Set<Long>> known = new HashMap<>();

        @Override
        public Map<Integer, Set<Long>> blockedKeys(Collection<Integer> partitions) {
          Map<Integer, Set<Long>> current = super.blockedKeys(partitions);
          partitions.forEach(p -> known.putIfAbsent(p, current.getOrDefault(p, Set.of())));
          return partitions.stream()
              .collect(Collectors.toMap(p -> p, p -> known.getOrDefault(p, Set.of())));
        }
      };
    }
  },
  /** A node keeps partitions whose messages only another one can send. */
  TRANSPORTS_OF_OTHERS_UNNOTICED {
    @Override
    Rates rates() {
      return Rates.TWO_SERVICES;
    }

    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return store;
    }

    @Override
    LeaseStore plant(LeaseStore leases) {
      return new HookedLeaseStore(leases, Planted.DIRECT) {
        @Override
        public Map<NodeId, Set<String>> transports() {
          return Map.of();
        }
      };
    }
  },
  /** A new owner does not ask which keys wait for a retry. */
  BLOCKED_KEYS_FORGOTTEN {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return new Planted(store) {
        @Override
        public Map<Integer, Set<Long>> blockedKeys(Collection<Integer> partitions) {
          return Map.of();
        }
      };
    }
  },
  /** A node says that it has applied a pause, and goes on. */
  PAUSE_IGNORED {
    @Override
    public OutboxStore plant(OutboxStore store, InMemoryDatabase database) {
      return store;
    }

    @Override
    boolean pausing() {
      return true;
    }

    @Override
    PauseStore plant(PauseStore pauses) {
      return new PauseStore() {
        @Override
        public Optional<InForce> changedSince(long version) {
          return pauses.changedSince(version).map(found -> new InForce(found.version(), List.of()));
        }

        @Override
        public void applied(NodeId node, long version) {
          pauses.applied(node, version);
        }
      };
    }
  };

  /** The faults that bring it to light. */
  Rates rates() {
    return Rates.USUAL;
  }

  /** Whether persons pause destinations. */
  boolean pausing() {
    return false;
  }

  PauseStore plant(PauseStore pauses) {
    return pauses;
  }

  public abstract OutboxStore plant(OutboxStore store, InMemoryDatabase database);

  /** The same with the clocks of the node whose store it is. */
  OutboxStore plant(OutboxStore store, InMemoryDatabase database, TimeSource ofNode) {
    return plant(store, database);
  }

  LeaseStore plant(LeaseStore leases) {
    return leases;
  }
}
