package io.angarium.together;

import io.angarium.testservers.FaultProxy;
import io.angarium.testtopics.Arrived;
import io.angarium.testtopics.Topic;
import java.util.List;

/** One that connections lead to. */
interface RemoteBroker extends Broker {
  /** Between the transport and the broker. */
  FaultProxy proxy();

  /** What a place is at the broker. */
  Topic topic(String place);

  @Override
  default List<String> read(String place) {
    return topic(place).read().stream().map(Arrived::text).toList();
  }
}
