package io.angarium.server.dubbo;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.exchange.Response;
import org.apache.dubbo.remoting.exchange.support.MultiMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests that cannot be read, on which Dubbo keeps silent, and takes the stack traces out
 * of Dubbo's answers. Between Dubbo's codec and its work.
 */
final class DubboAnswers extends ChannelDuplexHandler {
  private static final Logger LOG = LoggerFactory.getLogger(DubboAnswers.class);
  private static final int REASON_LENGTH_MAX = 500;
  private static final String UNREADABLE = "the request cannot be read; nothing took effect";

  private final DubboFrames frames;

  DubboAnswers(DubboFrames frames) {
    this.frames = frames;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof MultiMessage several) { // that came together
      for (Object each : several) {
        channelRead(context, each);
      }
      return;
    }
    if (!(message instanceof Request request) || !request.isBroken()) {
      context.fireChannelRead(message);
      return;
    }
    LOG.debug("Unreadable request of {}", context.channel().remoteAddress());
    if (request.isTwoWay()) {
      Response response = new Response(request.getId(), request.getVersion());
      response.setStatus(Response.BAD_REQUEST);
      response.setErrorMessage(UNREADABLE);
      var unused = context.channel().writeAndFlush(response);
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof Response response) {
      frames.answered(response.getId());
      String reason = response.getErrorMessage();
      if (reason != null) {
        response.setErrorMessage(firstLine(reason));
      }
    }
    var unused = context.write(message, promise);
  }

  private static String firstLine(String reason) {
    String line = reason.lines().findFirst().orElse("");
    return line.length() > REASON_LENGTH_MAX ? line.substring(0, REASON_LENGTH_MAX) + "…" : line;
  }

  /**
   * Handles a failure of the codec. It closes the connection, because what comes after the failure
   * cannot be told from what came before.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    LOG.debug("The connection of {} is closed", context.channel().remoteAddress(), failure);
    var unused = context.close();
  }
}
