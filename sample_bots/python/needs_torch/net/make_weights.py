"""Write ``weights.pt`` where there is none: an untrained network, the same every time.

Put the weights that you have trained beside ``bot.py`` instead: ``torch.save(net.state_dict(),
"weights.pt")``.
"""

from pathlib import Path

import torch
from net import Net

file = Path(__file__).with_name("weights.pt")
if not file.exists():
    torch.manual_seed(1)
    torch.save(Net().state_dict(), file)
