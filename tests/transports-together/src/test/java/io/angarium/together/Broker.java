package io.angarium.together;

import io.angarium.testservers.FaultProxy;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;

/** A real broker that can be made sick, and the transport to it. */
interface Broker {
  /** Opens the transport, which waits for a sick broker so long before it gives a result. */
  Transport open(Duration patience);

  /** Creates a place for messages; gives the destination that leads there. */
  String create(String place);

  /** Between the transport and the broker. */
  FaultProxy proxy();

  /**
   * The texts in a place, past the proxy, those of a key in their order.
   *
   * @param wanted how many different ones are to be waited for
   */
  List<String> read(String place, int wanted);
}
