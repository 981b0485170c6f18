package io.angarium.dubbo;

import com.example.trustmessage.middlewareapi.common.MessageResponse;
import io.angarium.half.Refusal;

/** The codes of TrustMessage. */
enum ResponseCode {
  SUCCESS(200, "success"),
  ILLEGAL_PARAM(1000, "illegal parameter"),
  NOT_EXIST(1001, "no such message; prepare it first"),
  ALREADY_COMMITTED(1002, "it was committed before, which is final"),
  ALREADY_ROLLED_BACK(1003, "it was rolled back before, which is final; use a new messageKey");

  private final int code;
  private final String message;

  ResponseCode(int code, String message) {
    this.code = code;
    this.message = message;
  }

  static ResponseCode of(Refusal refusal) {
    return switch (refusal) {
      case UNKNOWN -> NOT_EXIST;
      case ALREADY_COMMITTED -> ALREADY_COMMITTED;
      case ALREADY_ROLLED_BACK -> ALREADY_ROLLED_BACK;
    };
  }

  MessageResponse response() {
    return response(message);
  }

  MessageResponse response(String details) {
    return new MessageResponse(code, details, new MessageResponse.Data(this == SUCCESS));
  }
}
