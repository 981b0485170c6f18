/**
 * Half messages and check-backs over gRPC. Producers use {@link io.angarium.grpc.GrpcHalfMessages}
 * and {@link io.angarium.grpc.GrpcCheckBackService}. The application that keeps the half messages
 * uses {@link io.angarium.grpc.GrpcHalfService} and {@link
 * io.angarium.grpc.GrpcCheckBackTransport}.
 */
@NullMarked
package io.angarium.grpc;

import org.jspecify.annotations.NullMarked;
