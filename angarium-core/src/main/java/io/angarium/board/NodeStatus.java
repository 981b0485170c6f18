package io.angarium.board;

import io.angarium.internal.UnicodeText;
import io.angarium.relay.status.RelayStatus;
import java.time.Duration;
import java.util.List;

/**
 * What a relay node tells of itself. Immutable.
 *
 * @param application which one it runs in, cut to {@link #TEXT_LENGTH_MAX} characters
 * @param host the machine it runs on, cut to the same length
 * @param version of Angarium, cut to the same length; empty if unknown
 * @param stopped whether it said good-bye: this is its last status
 * @param relay what its relay does
 * @param recent what became of attempts lately
 * @param recentTime how long that is
 * @param unreachable producers of half messages that it cannot ask, {@link #UNREACHABLE_MAX} at
 *     most
 */
public record NodeStatus(
    String application,
    String host,
    String version,
    boolean stopped,
    RelayStatus relay,
    Throughput recent,
    Duration recentTime,
    List<UnreachableProducer> unreachable) {
  /** The longest name of an application, a host or a version. */
  public static final int TEXT_LENGTH_MAX = 128;

  /** The most producers of a status. */
  public static final int UNREACHABLE_MAX = 20;

  /** The longest {@link #json}, in bytes of UTF-8. */
  public static final int JSON_BYTES_MAX = 4_096;

  /** Cuts the texts, and copies the list. */
  public NodeStatus {
    application = cut(application);
    host = cut(host);
    version = cut(version);
    unreachable = List.copyOf(unreachable);
  }

  /** A node that can ask all producers. */
  public NodeStatus(
      String application,
      String host,
      String version,
      boolean stopped,
      RelayStatus relay,
      Throughput recent,
      Duration recentTime) {
    this(application, host, version, stopped, relay, recent, recentTime, List.of());
  }

  /** A copy that cannot ask these producers. */
  public NodeStatus unreachable(List<UnreachableProducer> producers) {
    return new NodeStatus(
        application, host, version, stopped, relay, recent, recentTime, producers);
  }

  private static String cut(String text) {
    return UnicodeText.cut(text, TEXT_LENGTH_MAX);
  }

  /**
   * Writes it as JSON, without the last of its circuits and producers if it is longer than {@link
   * #JSON_BYTES_MAX}.
   */
  public String json() {
    return StatusJson.write(this);
  }

  /**
   * Reads what {@link #json} wrote. Passes over what a newer version added.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static NodeStatus parse(String json) {
    return StatusJson.read(json);
  }
}
