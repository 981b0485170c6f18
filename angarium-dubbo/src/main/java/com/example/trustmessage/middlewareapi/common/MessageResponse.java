package com.example.trustmessage.middlewareapi.common;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** The answer to a call. Not thread-safe: one thread at a time. */
public final class MessageResponse implements Serializable {
  private static final long serialVersionUID = 1L;

  private int code;
  private @Nullable String message;
  private @Nullable Data data;

  /** Creates an empty one. */
  public MessageResponse() {}

  /** Creates one. */
  public MessageResponse(int code, @Nullable String message, @Nullable Data data) {
    this.code = code;
    this.message = message;
    this.data = data;
  }

  /** 200 for success; any other number is a refusal. */
  public int getCode() {
    return code;
  }

  /** Sets the code. */
  public void setCode(int code) {
    this.code = code;
  }

  /** What happened, for people. */
  public @Nullable String getMessage() {
    return message;
  }

  /** Sets what happened. */
  public void setMessage(@Nullable String message) {
    this.message = message;
  }

  /** Whether the call took effect. */
  public @Nullable Data getData() {
    return data;
  }

  /** Sets whether the call took effect. */
  public void setData(@Nullable Data data) {
    this.data = data;
  }

  /** Code and message. */
  @Override
  public String toString() {
    return "MessageResponse{code=" + code + ", message='" + message + "', data=" + data + "}";
  }

  /** Whether a call took effect. Not thread-safe: one thread at a time. */
  public static final class Data implements Serializable {
    private static final long serialVersionUID = 1L;

    private boolean result;

    /** Creates one that says no. */
    public Data() {}

    /** Creates one. */
    public Data(boolean result) {
      this.result = result;
    }

    /** True if the message is as the call wants it. */
    public boolean isResult() {
      return result;
    }

    /** Sets it. */
    public void setResult(boolean result) {
      this.result = result;
    }

    /** Yes or no. */
    @Override
    public String toString() {
      return "Data{result=" + result + "}";
    }
  }
}
