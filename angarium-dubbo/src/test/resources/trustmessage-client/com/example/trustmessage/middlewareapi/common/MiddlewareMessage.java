package com.example.trustmessage.middlewareapi.common;

/** As in a producer's own jar: not serializable. */
public class MiddlewareMessage {
  private String message;
  private String messageKey;
  private int bizID;
  private int messageStatus;
  private String forwardTopic;
  private String forwardKey;
  private VerifyInfo verifyInfo;

  public MiddlewareMessage() {}

  public String getMessage() {
    return message;
  }

  public void setMessage(String message) {
    this.message = message;
  }

  public String getMessageKey() {
    return messageKey;
  }

  public void setMessageKey(String messageKey) {
    this.messageKey = messageKey;
  }

  public int getBizID() {
    return bizID;
  }

  public void setBizID(int bizID) {
    this.bizID = bizID;
  }

  public int getMessageStatus() {
    return messageStatus;
  }

  public void setMessageStatus(int messageStatus) {
    this.messageStatus = messageStatus;
  }

  public String getForwardTopic() {
    return forwardTopic;
  }

  public void setForwardTopic(String forwardTopic) {
    this.forwardTopic = forwardTopic;
  }

  public String getForwardKey() {
    return forwardKey;
  }

  public void setForwardKey(String forwardKey) {
    this.forwardKey = forwardKey;
  }

  public VerifyInfo getVerifyInfo() {
    return verifyInfo;
  }

  public void setVerifyInfo(VerifyInfo verifyInfo) {
    this.verifyInfo = verifyInfo;
  }

  public static class VerifyInfo {
    private int protocolType;
    private String registryProtocol;
    private String registryAddress;
    private String url;
    private String version;

    public VerifyInfo() {}

    public int getProtocolType() {
      return protocolType;
    }

    public void setProtocolType(int protocolType) {
      this.protocolType = protocolType;
    }

    public String getRegistryProtocol() {
      return registryProtocol;
    }

    public void setRegistryProtocol(String registryProtocol) {
      this.registryProtocol = registryProtocol;
    }

    public String getRegistryAddress() {
      return registryAddress;
    }

    public void setRegistryAddress(String registryAddress) {
      this.registryAddress = registryAddress;
    }

    public String getUrl() {
      return url;
    }

    public void setUrl(String url) {
      this.url = url;
    }

    public String getVersion() {
      return version;
    }

    public void setVersion(String version) {
      this.version = version;
    }
  }
}
