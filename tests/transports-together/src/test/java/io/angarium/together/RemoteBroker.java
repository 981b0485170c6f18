package io.angarium.together;

import io.angarium.testservers.FaultProxy;

/** One that connections lead to. */
interface RemoteBroker extends Broker {
  /** Between the transport and the broker. */
  FaultProxy proxy();
}
