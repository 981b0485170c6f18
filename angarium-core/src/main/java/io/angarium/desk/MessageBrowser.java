package io.angarium.desk;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What persons see of the messages of one database. Every call is a read of its own, blocks, has a
 * bounded cost however many messages there are, and throws {@link StoreException} if the database
 * cannot be reached. None waits for a lock of a relay. Thread-safe.
 */
public interface MessageBrowser {
  /** The most bytes of a payload that one call gives. */
  int PAYLOAD_BYTES_MAX = 1 << 20;

  /** The most spans of a calendar. */
  int BUCKETS_MAX = 200;

  /** Counts what is there, each number up to {@link Overview#COUNT_MAX}. */
  default Overview overview() {
    return overview(Overview.COUNT_MAX);
  }

  /**
   * Counts what is there.
   *
   * @param countMax where each count ends, 1..{@link Overview#COUNT_MAX}; what it costs grows with
   *     it
   * @throws IllegalArgumentException if it is out of range
   */
  Overview overview(int countMax);

  /**
   * Searches one stage without loading payloads or headers. Ends when the page is full, at the end
   * of the stage, or when the budget is used up; the page says how far it came. A cursor neither
   * skips nor repeats a message that stays where it is, while others come and go.
   *
   * @throws IllegalArgumentException if the cursor is none of this stage and order
   */
  MessagePage search(MessageQuery query);

  /**
   * Finds a message by its id in every stage.
   *
   * @param depth how far to search in stages without an index for ids
   */
  FoundMessage find(MessageId id, SearchDepth depth);

  /**
   * Reads a part of a payload.
   *
   * @param row where it was found; a row that has moved since has no payload here
   * @param from the first byte, 0 or more
   * @param bytesMax 1..{@link #PAYLOAD_BYTES_MAX}
   * @return empty if the message is not there any more; no bytes behind the end
   * @throws IllegalArgumentException if a number is out of range
   */
  Optional<byte[]> payload(MessageRow row, long from, int bytesMax);

  /** Reads what a key waits for. */
  KeyView key(Destination destination, String key);

  /** Counts the messages of each destination, see {@link DestinationPage#ROWS_MAX}. */
  DestinationPage destinations();

  /** Reads nodes, partitions and who relays them. */
  RelayView relay();

  /**
   * Reads the same without counts of waiting messages, partitions that were never relayed, and
   * transports of nodes. Costs two statements.
   */
  RelayView members();

  /**
   * Counts delayed messages by the time at which they are due.
   *
   * @param from begin of the first span
   * @param to end of the last one
   * @param step length of a span; at most {@link #BUCKETS_MAX} of them
   * @throws IllegalArgumentException if that makes no span or too many
   */
  List<DueBucket> calendar(Instant from, Instant to, Duration step);
}
