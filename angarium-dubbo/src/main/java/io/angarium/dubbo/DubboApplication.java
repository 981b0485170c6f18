package io.angarium.dubbo;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Dubbo of our own beside the one that the process may have. Thread-safe.
 *
 * <p>Dubbo loads classes and extensions when it first needs them. If the thread that does so is
 * interrupted, what it was loading stays broken, some of it for the whole process. That is why this
 * class calls Dubbo only on threads that are never interrupted.
 */
final class DubboApplication implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DubboApplication.class);
  private static final int LEAVE_SECONDS = 5;

  private final ThreadFactory factory;
  private final ExecutorService threads;
  private final ModuleModel module;

  /** A call that came after the end. It has not reached Dubbo. */
  static final class ClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ClosedException() {
      super("it is closed");
    }
  }

  private DubboApplication(String name, ThreadFactory factory, ExecutorService threads) {
    this.factory = factory;
    this.threads = threads;
    try {
      module = call(() -> create(name));
    } catch (RuntimeException | Error e) {
      threads.shutdown();
      throw e;
    }
  }

  /**
   * Opens one.
   *
   * @param name how registries and other applications know it
   */
  static DubboApplication open(String name) {
    ThreadFactory factory = threads("angarium-dubbo");
    return open(name, factory, Executors.newCachedThreadPool(factory));
  }

  /**
   * Opens one.
   *
   * @param threads on which it is used, made by the factory; belong to it from now on
   */
  static DubboApplication open(String name, ThreadFactory factory, ExecutorService threads) {
    return new DubboApplication(name, factory, threads);
  }

  /**
   * Threads that take nothing from the callers who have them made, but the class loader of this.
   */
  static ThreadFactory threads(String name) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return work -> {
      Thread thread = new Thread(null, work, name, 0, false);
      thread.setContextClassLoader(loader);
      thread.setDaemon(true);
      return thread;
    };
  }

  private static ModuleModel create(String name) {
    DubboJson.choose();
    FrameworkModel.defaultModel(); // the first one made is the default for everybody: not ours
    URL.valueOf("dubbo://127.0.0.1?side=consumer"); // loads the table of parameters
    ApplicationModel application = new FrameworkModel().newApplication();
    ApplicationConfig config = new ApplicationConfig(application, name);
    config.setQosEnable(false); // it opens a port for commands
    config.setEnableFileCache(false); // it writes below the home folder
    config.setRegisterMode("interface"); // the other one opens one more port, on all addresses
    application.getApplicationConfigManager().setApplication(config);
    DubboMapping.create(application);
    return application.newModule();
  }

  /**
   * Calls Dubbo on a thread that is never interrupted, and waits for the result even if the caller
   * is interrupted.
   *
   * @throws ClosedException if it is closed
   */
  <T> T call(Supplier<T> work) {
    CompletableFuture<T> result;
    try {
      result = CompletableFuture.supplyAsync(work, threads);
    } catch (RejectedExecutionException e) {
      throw new ClosedException();
    }
    return joined(result);
  }

  private static <T> T joined(CompletableFuture<T> result) {
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      } else if (e.getCause() instanceof Error error) {
        throw error;
      } else {
        throw e;
      }
    }
  }

  /** Closes connections that are not needed any longer; never fails. */
  void discard(List<? extends AutoCloseable> surplus) {
    if (!surplus.isEmpty()) {
      try {
        call(() -> closed(surplus));
      } catch (ClosedException e) {
        LOG.debug("Dubbo ends, and its connections with it", e);
      }
    }
  }

  private static int closed(List<? extends AutoCloseable> surplus) {
    for (AutoCloseable each : surplus) {
      try {
        each.close();
      } catch (Exception e) {
        LOG.debug("A connection that is not needed any longer could not be closed", e);
      }
    }
    return surplus.size();
  }

  /** Makes an object available to extensions. */
  void share(Object shared) {
    call(
        () -> {
          module.getApplicationModel().getBeanFactory().registerBean(shared);
          return shared;
        });
  }

  ModuleModel module() {
    return module;
  }

  /**
   * Ends everything that is offered or referred to. Waits for 5 s at most for those who connect.
   * May be called twice.
   */
  @Override
  public synchronized void close() {
    if (!threads.isShutdown()) {
      threads.shutdown();
      joined(CompletableFuture.runAsync(this::end, work -> factory.newThread(work).start()));
    }
  }

  /** Who still connects while Dubbo ends would leave a shutdown hook behind. */
  private void end() {
    try {
      boolean left = threads.awaitTermination(LEAVE_SECONDS, TimeUnit.SECONDS);
      LOG.debug("Dubbo ends; all threads have left it: {}", left);
    } catch (InterruptedException e) {
      throw new AssertionError("nobody knows this thread", e);
    }
    module.getApplicationModel().getFrameworkModel().destroy();
  }
}
