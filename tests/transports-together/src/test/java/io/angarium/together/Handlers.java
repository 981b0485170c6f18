package io.angarium.together;

import io.angarium.handler.Delivery;
import io.angarium.handler.HandlerConfig;
import io.angarium.handler.HandlerTransport;
import io.angarium.handler.OutboxHandler;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.transport.Transport;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** Handlers of the application, one for each place that was created before; can hang. */
record Handlers(List<String> places, Gate gate, Arrivals arrivals) implements Broker {
  Handlers() {
    this(new CopyOnWriteArrayList<>(), new Gate(), new Arrivals());
  }

  @Override
  public Transport open(Duration patience, DataSource database) {
    Duration longer = patience.multipliedBy(3); // goes on at once when the outage ends
    return HandlerTransport.open(
        JdbcInbox.open(database, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE)),
        places.stream().map(Handler::new).toList(),
        HandlerConfig.DEFAULTS.timeout(longer).hold(longer));
  }

  private final class Handler implements OutboxHandler<Connection> {
    private final String place;

    Handler(String place) {
      this.place = place;
    }

    @Override
    public String name() {
      return place;
    }

    @Override
    public void handle(Connection transaction, Delivery delivery) {
      gate.pass();
      arrivals.add(place, delivery.message().payload());
    }
  }

  @Override
  public String create(String place) {
    places.add(place);
    return "handler:" + place;
  }

  @Override
  public List<String> read(String place) {
    return arrivals.of(place);
  }

  @Override
  public String toString() {
    return "handlers";
  }
}
