package io.angarium.quickstart.demo;

import io.angarium.quickstart.demo.BrokerSwitch.Action;
import io.angarium.quickstart.orders.NewOrder;
import io.angarium.spring.operate.RelayLifecycle;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * What the page asks for. Changes must come as JSON: a foreign web page in the same browser cannot
 * send that here.
 */
@RestController
@RequestMapping("/demo")
class DemoController {
  private static final int COUNT_MAX = 1000;

  private final DemoStateReader reader;
  private final DemoStateStream stream;
  private final BrokerSwitch broker;
  private final RelayLifecycle relay;
  private final OrderLoad load;

  DemoController(
      DemoStateReader reader,
      DemoStateStream stream,
      BrokerSwitch broker,
      RelayLifecycle relay,
      OrderLoad load) {
    this.reader = reader;
    this.stream = stream;
    this.broker = broker;
    this.relay = relay;
    this.load = load;
  }

  @GetMapping("/state")
  DemoState state() {
    return reader.read();
  }

  @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  SseEmitter events() {
    return stream.open();
  }

  /**
   * Many orders at once.
   *
   * @param count how many, 1..1000
   * @param rollBack whether all of them fail at the last moment
   */
  record ManyOrders(int count, boolean rollBack) {}

  @PostMapping(path = "/orders", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void orders(@RequestBody ManyOrders many) throws InterruptedException, ExecutionException {
    if (many.count() < 1 || many.count() > COUNT_MAX) {
      throw new IllegalArgumentException(
          "count: " + many.count() + " (expected: 1.." + COUNT_MAX + ")");
    }
    load.place(many.count(), many.rollBack());
  }

  @PostMapping(path = "/failing-order", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void failingOrder(@RequestBody NewOrder wanted) {
    load.place(wanted, true);
  }

  @PostMapping(path = "/broker/{action}", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.ACCEPTED)
  void broker(@PathVariable String action) {
    if (!broker.begin(Action.valueOf(action.toUpperCase(Locale.ROOT)))) {
      throw new ResponseStatusException(
          HttpStatus.CONFLICT, "The broker is " + broker.state() + "; " + action + " has to wait.");
    }
  }

  @PostMapping(path = "/relay/stop", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void stopRelay() {
    relay.stop();
  }

  @PostMapping(path = "/relay/start", consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void startRelay() {
    relay.start();
  }
}
