/** Half messages over gRPC. */
@NullMarked
package io.angarium.server.grpc;

import org.jspecify.annotations.NullMarked;
