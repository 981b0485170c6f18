package io.angarium.together;

import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Somebody real who takes messages and can be made sick, and the transport there. */
interface Broker {
  /**
   * Opens the transport, which waits for a sick broker so long before it gives a result.
   *
   * @param database of the application
   */
  Transport open(Duration patience, DataSource database);

  /** Creates a place for messages; gives the destination that leads there. */
  String create(String place);

  /**
   * The texts in a place, past all that is between it and the transport, those of a key in their
   * order.
   */
  List<String> read(String place);
}
