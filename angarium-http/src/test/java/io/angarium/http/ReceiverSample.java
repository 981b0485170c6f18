package io.angarium.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.time.Instant;

/** The receiver of docs/http.md, compiled. */
final class ReceiverSample implements HttpHandler {
  /** Remembers what it has seen. */
  interface Inbox {
    boolean isNew(String id);
  }

  /** What the receiver is for. */
  interface Orders {
    void process(byte[] body);
  }

  private final HttpSignature signature;
  private final Inbox inbox;
  private final Orders orders;

  ReceiverSample(HttpSignature signature, Inbox inbox, Orders orders) {
    this.signature = signature;
    this.inbox = inbox;
    this.orders = orders;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Headers headers = exchange.getRequestHeaders();
    boolean genuine =
        signature.verify(
            headers.getFirst(HttpSignature.ID),
            headers.getFirst(HttpSignature.TIMESTAMP),
            headers.getFirst(HttpSignature.SIGNATURE),
            body,
            Instant.now());
    if (genuine && inbox.isNew(headers.getFirst(HttpWireFormat.ID))) {
      orders.process(body);
    }
    exchange.sendResponseHeaders(genuine ? 204 : 401, -1);
    exchange.close();
  }
}
