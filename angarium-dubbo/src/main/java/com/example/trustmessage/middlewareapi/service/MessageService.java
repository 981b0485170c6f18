package com.example.trustmessage.middlewareapi.service;

import com.example.trustmessage.middlewareapi.common.MessageResponse;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * What producers call, version 1.0.0 in Dubbo. Every call may be repeated. The exception is
 * declared, as Dubbo logs others as defects. Thread-safe.
 */
public interface MessageService {
  /**
   * Stores a message that nobody receives yet.
   *
   * @param message whole
   * @throws RpcException if the answer is unknown
   */
  MessageResponse prepareMessage(@Nullable MiddlewareMessage message) throws RpcException;

  /**
   * Commits a prepared message, so that it is sent.
   *
   * @param message identifies the prepared message; only its business id and message key are read
   * @throws RpcException if the answer is unknown
   */
  MessageResponse commitMessage(@Nullable MiddlewareMessage message) throws RpcException;

  /**
   * Drops a prepared message.
   *
   * @param message identifies the prepared message; only its business id and message key are read
   * @throws RpcException if the answer is unknown
   */
  MessageResponse rollBackMessage(@Nullable MiddlewareMessage message) throws RpcException;
}
