package com.example.trustmessage.middlewareapi.common;

/** As in a producer's own jar: not serializable, and a result that nobody can get at. */
public class MessageResponse {
  int code;
  String message;
  Data data;

  public MessageResponse() {}

  public int getCode() {
    return code;
  }

  public void setCode(int code) {
    this.code = code;
  }

  public String getMessage() {
    return message;
  }

  public void setMessage(String message) {
    this.message = message;
  }

  public Data getData() {
    return data;
  }

  public void setData(Data data) {
    this.data = data;
  }

  public static class Data {
    boolean result;

    public Data() {}
  }
}
