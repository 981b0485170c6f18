/**
 * Half messages and check-backs over gRPC: for producers {@link io.angarium.grpc.GrpcHalfMessages}
 * and {@link io.angarium.grpc.GrpcCheckBackService}, for whoever keeps the half messages {@link
 * io.angarium.grpc.GrpcHalfService} and {@link io.angarium.grpc.GrpcCheckBackTransport}.
 */
@NullMarked
package io.angarium.grpc;

import org.jspecify.annotations.NullMarked;
