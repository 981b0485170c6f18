package io.angarium.dubbo;

import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage.VerifyInfo;

/** What a client of TrustMessage sends. */
final class TrustMessages {
  static final int BUSINESS = 7;

  private TrustMessages() {}

  static MiddlewareMessage whole(String key) {
    MiddlewareMessage message =
        new MiddlewareMessage(
            "{\"paid\":\"süd\"}",
            key,
            1,
            "orders",
            "customer-1",
            new VerifyInfo(1, null, null, "http://shop:8082/verifyMessage", null));
    message.setBizID(BUSINESS);
    return message;
  }

  /** All that a commit or a rollback needs. */
  static MiddlewareMessage bare(String key) {
    MiddlewareMessage message = new MiddlewareMessage();
    message.setBizID(BUSINESS);
    message.setMessageKey(key);
    return message;
  }
}
