package com.example.trustmessage.middlewareapi.common;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A message as a producer hands it over. Not thread-safe: one thread at a time. */
public final class MiddlewareMessage implements Serializable {
  private static final long serialVersionUID = 1L;

  private @Nullable String message;
  private @Nullable String messageKey;
  private int bizID;
  private int messageStatus;
  private @Nullable String forwardTopic;
  private @Nullable String forwardKey;
  private @Nullable VerifyInfo verifyInfo;

  /** Creates an empty one. */
  public MiddlewareMessage() {}

  /** Creates one of business 0. */
  public MiddlewareMessage(
      @Nullable String message,
      @Nullable String messageKey,
      int messageStatus,
      @Nullable String forwardTopic,
      @Nullable String forwardKey,
      @Nullable VerifyInfo verifyInfo) {
    this.message = message;
    this.messageKey = messageKey;
    this.messageStatus = messageStatus;
    this.forwardTopic = forwardTopic;
    this.forwardKey = forwardKey;
    this.verifyInfo = verifyInfo;
  }

  /** What consumers receive. */
  public @Nullable String getMessage() {
    return message;
  }

  /** Sets it. */
  public void setMessage(@Nullable String message) {
    this.message = message;
  }

  /** Which message of the business; unique there. */
  public @Nullable String getMessageKey() {
    return messageKey;
  }

  /** Sets it. */
  public void setMessageKey(@Nullable String messageKey) {
    this.messageKey = messageKey;
  }

  /** The business. */
  public int getBizID() {
    return bizID;
  }

  /** Sets it. */
  public void setBizID(int bizID) {
    this.bizID = bizID;
  }

  /** 1 prepare, 2 commit, 3 roll back; not read, as the method says it. */
  public int getMessageStatus() {
    return messageStatus;
  }

  /** Sets it. */
  public void setMessageStatus(int messageStatus) {
    this.messageStatus = messageStatus;
  }

  /** The topic that consumers read. */
  public @Nullable String getForwardTopic() {
    return forwardTopic;
  }

  /** Sets it. */
  public void setForwardTopic(@Nullable String forwardTopic) {
    this.forwardTopic = forwardTopic;
  }

  /** The key of the message in the topic; null for none. */
  public @Nullable String getForwardKey() {
    return forwardKey;
  }

  /** Sets it. */
  public void setForwardKey(@Nullable String forwardKey) {
    this.forwardKey = forwardKey;
  }

  /** Where the producer is asked. */
  public @Nullable VerifyInfo getVerifyInfo() {
    return verifyInfo;
  }

  /** Sets it. */
  public void setVerifyInfo(@Nullable VerifyInfo verifyInfo) {
    this.verifyInfo = verifyInfo;
  }

  /** Where a producer is asked. Not thread-safe: one thread at a time. */
  public static final class VerifyInfo implements Serializable {
    private static final long serialVersionUID = 1L;

    private int protocolType;
    private @Nullable String registryProtocol;
    private @Nullable String registryAddress;
    private @Nullable String url;
    private @Nullable String version;

    /** Creates an empty one. */
    public VerifyInfo() {}

    /** Creates one. */
    public VerifyInfo(
        int protocolType,
        @Nullable String registryProtocol,
        @Nullable String registryAddress,
        @Nullable String url,
        @Nullable String version) {
      this.protocolType = protocolType;
      this.registryProtocol = registryProtocol;
      this.registryAddress = registryAddress;
      this.url = url;
      this.version = version;
    }

    /** 1 HTTP, 2 Dubbo. */
    public int getProtocolType() {
      return protocolType;
    }

    /** Sets it. */
    public void setProtocolType(int protocolType) {
      this.protocolType = protocolType;
    }

    /** The kind of registry, e.g. {@code zookeeper}. */
    public @Nullable String getRegistryProtocol() {
      return registryProtocol;
    }

    /** Sets it. */
    public void setRegistryProtocol(@Nullable String registryProtocol) {
      this.registryProtocol = registryProtocol;
    }

    /** Where the registry is, {@code host:port}. */
    public @Nullable String getRegistryAddress() {
      return registryAddress;
    }

    /** Sets it. */
    public void setRegistryAddress(@Nullable String registryAddress) {
      this.registryAddress = registryAddress;
    }

    /** Where the producer is; with Dubbo null or empty to look it up in the registry. */
    public @Nullable String getUrl() {
      return url;
    }

    /** Sets it. */
    public void setUrl(@Nullable String url) {
      this.url = url;
    }

    /** The version of the Dubbo service. */
    public @Nullable String getVersion() {
      return version;
    }

    /** Sets it. */
    public void setVersion(@Nullable String version) {
      this.version = version;
    }
  }
}
