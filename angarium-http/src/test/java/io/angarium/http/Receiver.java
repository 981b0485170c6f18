package io.angarium.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.angarium.http.signature.HttpSignature;
import java.io.IOException;
import java.time.Instant;

/** The receiver of docs/http.md, compiled. */
final class Receiver implements HttpHandler {
  /** What the receiver is for. */
  interface Orders {
    /** Notes the id and works in one transaction; does nothing if the id is noted already. */
    void processOnce(String id, byte[] body);
  }

  private final HttpSignature signature;
  private final Orders orders;

  Receiver(HttpSignature signature, Orders orders) {
    this.signature = signature;
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
    if (genuine) {
      orders.processOnce(headers.getFirst(HttpWireFormat.ID), body);
    }
    exchange.sendResponseHeaders(genuine ? 204 : 401, -1);
    exchange.close();
  }
}
