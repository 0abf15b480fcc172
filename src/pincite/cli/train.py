"""pincite train: writes training examples, trains models and fits parameters."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

app = typer.Typer(
    name="train",
    help="Train models, and fit fusion, trimmer and answerability (the extra 'train').",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

Config: TypeAlias = Annotated[Path, typer.Option(help="A TOML file, such as those in pincite/train/configs.")]
Data: TypeAlias = Annotated[
    Path, typer.Option(help="The folder with train.json.gz, dev.json.gz and the initial weights.")
]
Out: TypeAlias = Annotated[Path, typer.Option(help="The folder for the weights, the record and the checkpoint.")]
Device: TypeAlias = Annotated[str, typer.Option(help="auto, cuda or cpu.")]
Seed: TypeAlias = Annotated[int | None, typer.Option(help="Another random seed than the configuration's.")]


@app.command()
def examples(
    out: Annotated[Path, typer.Option(help="The folder for train.json.gz and dev.json.gz.")],
    data: Annotated[Path | None, typer.Option(help="The data folder. Default: $PINCITE_DATA.")] = None,
    lepard: Annotated[Path | None, typer.Option(help="Also use this CSV file of LePaRD.")] = None,
    seed: Annotated[int, typer.Option(help="The random seed of wordings and negatives.")] = 1,
    questions: Annotated[list[Path] | None, typer.Option(help="A file of written questions. Repeatable.")] = None,
    encoder: Annotated[str, typer.Option(help="The encoder that finds negatives of written questions.")] = "",
    wordings: Annotated[Path | None, typer.Option(help="A file with other words for labelled questions.")] = None,
    dev_questions: Annotated[Path | None, typer.Option(help="Written questions for the learning curve.")] = None,
) -> None:
    """Write training examples from the train split, and held-out ones from dev.

    [bold]Example[/bold]

    pincite train examples --data data --questions data/questions/train.jsonl --out build/train
    """
    from pincite.models import CachedEncoder, load_encoder
    from pincite.train.gather import gather

    model = CachedEncoder(load_encoder(encoder)) if encoder else None
    made = gather(_data(data), out, lepard, seed, questions or (), model, wordings, dev_questions)
    for name, count in made.items():
        typer.echo(f"{name}: {count} examples")


@app.command()
def questions(
    file: Annotated[Path, typer.Argument(help="A file of written questions, one JSON object a line.")],
    data: Annotated[Path | None, typer.Option(help="The folder of the documents. Default: $PINCITE_DATA.")] = None,
) -> None:
    """Check written questions: offsets, hashes, gold, duplicates; and print how they are spread.

    [bold]Example[/bold]

    pincite train questions data/questions.jsonl --data data
    """
    from pincite.evaluate.data import folder_of_data
    from pincite.train.check_questions import check_questions

    found = check_questions(file, folder_of_data(data))
    for fault in found.faults:
        typer.echo(fault, err=True)
    typer.echo(f"{found.questions} questions on {found.documents} documents, {found.with_reference} with a reference")
    for style, count in found.styles.most_common():
        typer.echo(f"  {style:<14}{count:>6}{count / found.questions:>7.0%}")
    if found.faults:
        typer.echo(f"{len(found.faults)} faults")
        raise typer.Exit(1)


@app.command()
def encoder(
    config: Config,
    data: Data = Path("build/train"),
    out: Out = Path("build/encoder"),
    device: Device = "auto",
    seed: Seed = None,
) -> None:
    """Train an encoder. A stopped run resumes with the same command.

    [bold]Example[/bold]

    pincite train encoder --config encoder.toml --data build/train --out build/encoder
    """
    _train("encoder", config, data, out, device, seed)


@app.command()
def reranker(
    config: Config,
    data: Data = Path("build/train"),
    out: Out = Path("build/reranker"),
    device: Device = "auto",
    seed: Seed = None,
) -> None:
    """Train a re-ranker. A stopped run resumes with the same command.

    [bold]Example[/bold]

    pincite train reranker --config reranker.toml --data build/train --out build/reranker
    """
    _train("reranker", config, data, out, device, seed)


DevData: TypeAlias = Annotated[
    Path | None, typer.Option(help="The data folder with the dev sets. Default: $PINCITE_DATA.")
]
Own: TypeAlias = Annotated[Path | None, typer.Option("--questions", help="A file with more written questions.")]
Fitted: TypeAlias = Annotated[Path, typer.Option(help="The folder for parameters.json and the record.")]


@app.command()
def fusion(
    config: Config,
    data: DevData = None,
    out: Fitted = Path("build/parameters"),
    device: Device = "auto",
    questions: Own = None,
) -> None:
    """Fit the five fusions of parts, cross-validated over documents.

    [bold]Example[/bold]

    pincite train fusion --config fusion.toml --data data --out build/parameters
    """
    _fit("fusion", config, data, out, device, questions)


@app.command()
def trimmer(
    config: Config,
    data: DevData = None,
    out: Fitted = Path("build/parameters"),
    device: Device = "auto",
    questions: Own = None,
) -> None:
    """Fit the trimmer, which decides where hits begin and end.

    [bold]Example[/bold]

    pincite train trimmer --config trimmer.toml --data data --out build/parameters
    """
    _fit("trimmer", config, data, out, device, questions)


@app.command()
def answerability(
    config: Config,
    data: DevData = None,
    out: Fitted = Path("build/parameters"),
    device: Device = "auto",
    questions: Own = None,
) -> None:
    """Fit answerability: how likely it is that a question is answered at all.

    [bold]Example[/bold]

    pincite train answerability --config answerability.toml --data data --out build/parameters
    """
    _fit("answerability", config, data, out, device, questions)


@app.command()
def references(
    data: Annotated[
        Path | None, typer.Option(help="The folder with questions/train.jsonl. Default: $PINCITE_DATA.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The file for the weights (JSON).")] = Path("build/reference_weights.json"),
) -> None:
    """Fit the weights by which references to documents are recognised, and print figures on held-out documents.

    [bold]Example[/bold]

    pincite train references --data data --out build/reference_weights.json
    """
    from pincite.evaluate.data import folder_of_data
    from pincite.output import check_writable, write_json
    from pincite.train.fit_references import fit_on

    out.parent.mkdir(parents=True, exist_ok=True)
    check_writable(out)
    weights, figures = fit_on(folder_of_data(data), lambda line: typer.echo(line, err=True))
    for name, value in figures.items():
        typer.echo(f"{name}: {value:.4f}")
    write_json(out, weights)
    typer.echo(f"wrote {out}")


@app.command()
def average(
    models: Annotated[list[Path], typer.Argument(help="Weights of runs, or exported models (model.onnx).")],
    out: Annotated[Path, typer.Option(help="The file for the mean of their weights (weights.npz).")],
) -> None:
    """Write the mean of the weights of models with the same start: often better than each of them.

    [bold]Example[/bold]

    pincite train average build/one/weights.npz build/two/weights.npz --out build/mean/weights.npz
    """
    from pincite.output import check_writable
    from pincite.train.backbone import mean_of, weights_of, write_rows

    out.parent.mkdir(parents=True, exist_ok=True)
    check_writable(out)
    write_rows(out, mean_of([weights_of(path) for path in models]))
    typer.echo(f"wrote {out}")


@app.command()
def export(
    weights: Annotated[Path, typer.Argument(help="The weights.npz of a training run.")],
    folder: Annotated[Path, typer.Argument(help="The folder for the model.")],
    tokenizer: Annotated[Path, typer.Option(help="The tokenizer.json of the initial model.")],
    name: Annotated[str, typer.Option(help="The name of the model.")],
    max_tokens: Annotated[int, typer.Option(help="Longer texts are cut.")] = 160,
    int8: Annotated[bool, typer.Option("--int8", help="Quantise to 8 bits, with static scales.")] = False,
) -> None:
    """Export trained weights as a model that runs without torch.

    [bold]Example[/bold]

    pincite train export build/encoder/weights.npz legal-encoder --tokenizer tokenizer.json --name legal --int8
    """
    from pincite.train.export import export_trained

    far = export_trained(weights, tokenizer, folder, name, max_tokens, int8=int8)
    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    typer.echo(f"wrote {folder} ({size:.1f} MB)" + (f"; int8 is {far:.4f} from floats" if int8 else ""))


def _train(kind: str, config: Path, data: Path, out: Path, device: str, seed: int | None) -> None:
    from dataclasses import replace

    from pincite.errors import UsageError
    from pincite.train.config import TrainingConfig, read_config

    settings = read_config(config)
    if settings.model != kind or not isinstance(settings, TrainingConfig):
        raise UsageError(f"{config}: this configuration is for 'pincite train {settings.model}'")
    settings = settings if seed is None else replace(settings, seed=seed)
    try:
        from pincite.train.training import train

        made = train(settings, data, out, device, lambda line: typer.echo(line, err=True))
    except ImportError as error:
        raise UsageError(f"training needs the extra 'train': pip install 'pincite[train]' ({error})") from None
    typer.echo(f"wrote {made}")


def _fit(kind: str, config: Path, data: Path | None, out: Path, device: str, own: Path | None) -> None:
    from pincite.errors import UsageError
    from pincite.train.config import FittingConfig, read_config

    if device not in ("auto", "cpu"):
        raise UsageError(f"--device {device}: parameters are fitted on the CPU; use auto or cpu")
    settings = read_config(config)
    if settings.model != kind or not isinstance(settings, FittingConfig):
        raise UsageError(f"{config}: this configuration is for 'pincite train {settings.model}'")
    try:
        from pincite.train.fitting import fit

        made = fit(settings, _data(data), out, lambda line: typer.echo(line, err=True), own)
    except ImportError as error:
        raise UsageError(f"fitting needs the extra 'train': pip install 'pincite[train]' ({error})") from None
    typer.echo(f"wrote {made}")


def _data(data: Path | None) -> Path:
    from pincite.evaluate.data import data_folder

    return data_folder(data)
