package io.angarium.half.check;

import io.angarium.half.HalfStep;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The list of half messages whose producers are to be asked, and when. It is kept beside the half
 * messages, in their database, and any number of nodes work it off. It holds only messages that
 * stay prepared for too long. Times come from the database's clock.
 *
 * <p>Implementations must pass {@code CheckBackTck} of angarium-testkit. Methods that are added
 * will have a default. All methods block, commit before they return, and throw {@link
 * io.angarium.StoreException} if the database cannot be reached or refuses; what they did is then
 * unknown, and does no harm if it is repeated. Thread-safe.
 */
public interface CheckStore {
  /** The most half messages that one call looks at, claims or changes. */
  int BATCH_MAX = 500;

  /** For how long one node has the alert of a half message that was given up, before others do. */
  Duration ALERT_CLAIM = Duration.ofMinutes(1);

  /**
   * The highest number that a half message has.
   *
   * @return 0 if there is none
   */
  long last();

  /**
   * Looks at the next half messages in the order of their numbers, and enters those into the list,
   * as due now, that are prepared and not in it. Stops at the first one that is too young, whatever
   * its state: before it others may still appear.
   *
   * @param after the number of the last one that was looked at, 0 for none
   * @param age how old they must be
   */
  Entered enter(long after, Duration age);

  /**
   * What became of a page of half messages.
   *
   * @param reached the number of the last one that was looked at, or {@code after}
   * @param more true if the page was full
   */
  record Entered(long reached, boolean more) {}

  /**
   * Takes checks that are due, longest due first, so that no other node takes them for a time. What
   * was decided meanwhile is struck off the list instead.
   *
   * @param limit 1..{@link #BATCH_MAX}
   * @param claim for how long; if they are not changed until then, they are due again
   */
  Claimed claim(int limit, Duration claim);

  /**
   * Checks that this node has.
   *
   * @param checks whose messages are prepared
   * @param more true if there may be more
   */
  record Claimed(List<DueCheck> checks, boolean more) {}

  /**
   * Gives claims back whose producers were not asked.
   *
   * @param checks at most {@link #BATCH_MAX}; those that another node has taken are left alone
   * @param pause until they are due again
   */
  void putOff(Collection<DueCheck> checks, Duration pause);

  /**
   * Notes answers that decided nothing.
   *
   * @param checks at most {@link #BATCH_MAX}; those that another node has taken are left alone
   */
  void note(Collection<NotedCheck> checks);

  /**
   * Strikes checks off the list whose messages are decided.
   *
   * @param checks at most {@link #BATCH_MAX}
   */
  void strike(Collection<DueCheck> checks);

  /**
   * Notes the last answer and has the half message wait for a person: {@link HalfStep#GIVE_UP}. Its
   * alert is due to be told by this node, and by another one if that is not noted as {@link #told}
   * within {@link #ALERT_CLAIM}.
   *
   * @return false if nothing changed, as another node has taken the check, or the message was
   *     decided meanwhile
   */
  boolean giveUp(NotedCheck last);

  /**
   * Takes half messages that were given up and whose alert nobody has noted as told, as a node may
   * have died before that: no other node takes them for {@link #ALERT_CLAIM}. The alert of what was
   * decided or resumed meanwhile is dropped.
   *
   * @return at most {@link #BATCH_MAX}; none in a store that knows nothing of alerts
   */
  default List<DueCheck> untold() {
    return List.of();
  }

  /** Notes that persons were told of a half message that was given up. */
  default void told(DueCheck givenUp) {}

  /**
   * What the database refuses for good to do with single checks, for a health check; the others are
   * worked off.
   *
   * @return empty if nothing is refused
   */
  default Optional<String> fault() {
    return Optional.empty();
  }
}
