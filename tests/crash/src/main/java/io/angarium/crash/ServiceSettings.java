package io.angarium.crash;

import java.util.List;

/**
 * What a service process is told on its command line. Immutable.
 *
 * @param address of the broker
 * @param producers threads that run business transactions; 0 for a process that only relays
 * @param failing share of attempts that fail
 * @param passes how often the crash point is passed before the process stops there
 */
record ServiceSettings(
    String url,
    String user,
    String password,
    BrokerKind broker,
    String address,
    String topic,
    String node,
    int producers,
    double failing,
    CrashPoint point,
    int passes) {
  List<String> arguments() {
    return List.of(
        url,
        user,
        password,
        broker.name(),
        address,
        topic,
        node,
        Integer.toString(producers),
        Double.toString(failing),
        point.name(),
        Integer.toString(passes));
  }

  static ServiceSettings parse(String[] arguments) {
    return new ServiceSettings(
        arguments[0],
        arguments[1],
        arguments[2],
        BrokerKind.valueOf(arguments[3]),
        arguments[4],
        arguments[5],
        arguments[6],
        Integer.parseInt(arguments[7]),
        Double.parseDouble(arguments[8]),
        CrashPoint.valueOf(arguments[9]),
        Integer.parseInt(arguments[10]));
  }

  /** What leads to the topic. */
  String destination() {
    return broker.destination(topic);
  }
}
