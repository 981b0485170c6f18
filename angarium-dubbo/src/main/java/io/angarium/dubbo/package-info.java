/**
 * Half messages and check-backs over Dubbo. {@link io.angarium.dubbo.TrustMessageService} and
 * {@link io.angarium.dubbo.DubboCheckBackTransport} speak as TrustMessage does, so that its
 * producers need no change.
 */
@NullMarked
package io.angarium.dubbo;

import org.jspecify.annotations.NullMarked;
