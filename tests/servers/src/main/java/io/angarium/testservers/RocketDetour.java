package io.angarium.testservers;

/**
 * The way of clients that shall feel faults: through one proxy to the name server, which sends them
 * through another to the broker.
 *
 * @param nameServer the proxy where clients ask for the broker
 * @param routes tells them the next one instead of the broker
 * @param broker the proxy before the broker
 */
record RocketDetour(FaultProxy nameServer, RouteRewriter routes, FaultProxy broker)
    implements AutoCloseable {
  static RocketDetour to(int nameServerPort, int brokerPort) {
    FaultProxy broker = FaultProxy.to("127.0.0.1", brokerPort);
    RouteRewriter routes =
        RouteRewriter.to(nameServerPort, "127.0.0.1:" + brokerPort, "127.0.0.1:" + broker.port());
    return new RocketDetour(FaultProxy.to("127.0.0.1", routes.port()), routes, broker);
  }

  @Override
  public void close() {
    nameServer.close();
    routes.close();
    broker.close();
  }
}
