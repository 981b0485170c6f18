package com.example.trustmessage.middlewareapi.service;

import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/** What producers offer, so that they can be asked about their messages. Thread-safe. */
public interface VerifyMessageService {
  /**
   * What became of the business transaction behind a message.
   *
   * @param bizID the business id
   * @param messageKey which of its messages
   * @return 1 if it may still commit, 2 if it has committed, 3 if it never will
   * @throws RpcException if it cannot be found out now
   */
  int verifyMessage(@Nullable Integer bizID, @Nullable String messageKey) throws RpcException;
}
