package io.angarium.crash;

import io.angarium.testservers.TestDatabase;
import java.util.List;

/**
 * How a producer works. Immutable.
 *
 * @param url of the database of its orders
 * @param user of that database
 * @param password likewise
 * @param centres addresses of the message centre, which its threads take turns with
 * @param destination of its messages
 * @param port where it is asked for its half messages
 * @param name what its order ids begin with
 * @param threads how many take orders
 * @param point where it stops
 * @param passes how often it passes there before
 * @param answering what it answers when it is asked
 */
record ProducerSettings(
    String url,
    String user,
    String password,
    List<String> centres,
    String destination,
    int port,
    String name,
    int threads,
    ProducerPoint point,
    int passes,
    Answering answering) {
  /** What a producer answers. */
  enum Answering {
    /** What the markers in its database say. */
    BY_MARKERS,
    /** That it does not know. */
    UNKNOWN,
    /** Nothing: it cannot be reached. */
    NEVER
  }

  /** One that only answers questions. */
  static ProducerSettings answering(
      TestDatabase orders, List<String> centres, String destination, int port) {
    return new ProducerSettings(
        orders.url(),
        orders.user(),
        orders.password(),
        List.copyOf(centres),
        destination,
        port,
        "nobody",
        0,
        ProducerPoint.NOWHERE,
        0,
        Answering.BY_MARKERS);
  }

  /** One that reaches the message centre elsewhere. */
  ProducerSettings at(String centre) {
    return new ProducerSettings(
        url,
        user,
        password,
        List.of(centre),
        destination,
        port,
        name,
        threads,
        point,
        passes,
        answering);
  }

  /** One that is asked at another port. */
  ProducerSettings askedAt(int port) {
    return new ProducerSettings(
        url, user, password, centres, destination, port, name, threads, point, passes, answering);
  }

  /** One whose messages go elsewhere. */
  ProducerSettings sendingTo(String destination) {
    return new ProducerSettings(
        url, user, password, centres, destination, port, name, threads, point, passes, answering);
  }

  ProducerSettings selling(String name, int threads) {
    return new ProducerSettings(
        url, user, password, centres, destination, port, name, threads, point, passes, answering);
  }

  ProducerSettings stopping(ProducerPoint point, int passes) {
    return new ProducerSettings(
        url, user, password, centres, destination, port, name, threads, point, passes, answering);
  }

  ProducerSettings answering(Answering answering) {
    return new ProducerSettings(
        url, user, password, centres, destination, port, name, threads, point, passes, answering);
  }

  List<String> arguments() {
    return List.of(
        url,
        user,
        password,
        String.join(",", centres),
        destination,
        Integer.toString(port),
        name,
        Integer.toString(threads),
        point.name(),
        Integer.toString(passes),
        answering.name());
  }

  static ProducerSettings parse(String[] args) {
    return new ProducerSettings(
        args[0],
        args[1],
        args[2],
        List.of(args[3].split(",")),
        args[4],
        Integer.parseInt(args[5]),
        args[6],
        Integer.parseInt(args[7]),
        ProducerPoint.valueOf(args[8]),
        Integer.parseInt(args[9]),
        Answering.valueOf(args[10]));
  }
}
